import type { ModelErrorKind } from '../../errors.js';
import { hidingKnown } from '../../redaction/knownSecrets.js';
import { FailedCall } from '../wrappers/failedCall.js';
import { publicUrl, type Endpoint } from './endpoint.js';
import { wasCharged, wasSent, type ServerError } from './serverError.js';
import { presetOf } from './presets.js';

/** A failed call in words a person can act on: what happened, and what to do about it. Never with the key in them. */
export function describeFailure(error: ServerError, endpoint: Endpoint, kind: ModelErrorKind): FailedCall {
  const who = presetOf(endpoint.provider)?.label ?? publicUrl(endpoint.baseUrl);
  const said = withoutKey(error.message, endpoint.apiKey);
  return new FailedCall(kind, `${happened[kind](who, endpoint)}: ${said}`, {
    cure: cures[kind](error, endpoint),
    charged: wasCharged(error),
    sent: wasSent(error.connection),
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  });
}

/** A login page of a network or a proxy, or the front page of a server whose interface lies elsewhere. */
export function webPageInstead({ provider, baseUrl }: Endpoint): FailedCall {
  const who = presetOf(provider)?.label ?? publicUrl(baseUrl);
  return new FailedCall('endpoint', `${who} answered with a web page instead of an answer.`, {
    cure: 'Check the address (it usually ends in /v1), and whether the network or a proxy asks for a login.',
    charged: false,
  });
}

export const filterCure = 'Rephrase the task, or choose another model for it.';

const happened: Readonly<Record<ModelErrorKind, (who: string, endpoint: Endpoint) => string>> = {
  auth: (who, { apiKey, login }) =>
    login !== undefined
      ? `${who} refused the login`
      : hasKey(apiKey)
        ? `${who} refused the API key`
        : `${who} wants an API key, and none is set`,
  quota: (who) => `The account at ${who} has no credit left`,
  'model-not-found': (who, { model }) => `${who} has no model “${model}”`,
  endpoint: (who) => `${who} did not take the request`,
  'rate-limit': (who) => `${who} asks for fewer calls`,
  timeout: (who) => `${who} did not answer in time`,
  'content-filter': (who) => `${who} refused the content`,
  'context-length': (_, { model }) => `The prompt is too long for “${model}”`,
  'cut-prompt': (who) => `${who} did not read the whole prompt`,
  malformed: (who) => `${who} did not take this request`,
  unavailable: (who) => `${who} is not available`,
  'given-up': (who) => `${who} was given up`,
  cap: () => 'A spending cap was reached',
  waiting: () => 'An answer is awaited',
};

function hasKey(apiKey: string | undefined): boolean {
  return apiKey !== undefined && apiKey !== '';
}

const waiting = (): string => '';

const cures: Readonly<Record<ModelErrorKind, (error: ServerError, endpoint: Endpoint) => string>> = {
  auth: (_, { provider, apiKey, login }) => {
    if (login !== undefined) return 'Log in again; the account needs the role “Cognitive Services OpenAI User”.';
    const help = presetOf(provider)?.help ?? '';
    return (hasKey(apiKey) ? `Set the API key again. ${help}` : `Set the API key. ${help}`).trim();
  },
  quota: () => 'Add credit to the account, or choose another model.',
  'model-not-found': (_, { provider, model }) =>
    provider === 'ollama'
      ? `Run \`ollama pull ${model}\`, or choose another model.`
      : 'Choose a model that the server lists.',
  endpoint: endpointCure,
  'content-filter': () => filterCure,
  'context-length': () => 'Choose a model with a larger context, or shorten the skill or the task.',
  'cut-prompt': () => 'Give the model a longer context, or shorten the skill or the task.',
  unavailable: ({ connection }, { provider }) => {
    const preset = presetOf(provider);
    if (connection?.startsWith('HPE_') === true) return 'Something else than a model server answers at this address.';
    return connection === 'ECONNREFUSED' && preset?.local === true ? preset.help : '';
  },
  'rate-limit': waiting,
  timeout: waiting,
  malformed: waiting,
  'given-up': waiting,
  cap: waiting,
  waiting,
};

function endpointCure({ connection, status }: ServerError, { baseUrl }: Endpoint): string {
  if (connection !== undefined && noTls.test(connection))
    return 'The server speaks no TLS: write http:// for https://.';
  if (connection !== undefined && connection !== 'ERR_INVALID_URL') {
    return 'The certificate is not trusted here: add your organisation’s root certificate (NODE_EXTRA_CA_CERTS), or check the proxy.';
  }
  if (status !== undefined && status >= 300 && status < 400) return 'Use the address that the server redirects to.';
  return /\/(?:v\d\w*|openai)\/?$/.test(baseUrl)
    ? 'Check the address and the options of the model.'
    : 'Check the address: it usually ends in /v1.';
}

/** What TLS says of a server that answers in plain text. */
const noTls = /^(?:EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/;

/** One sentence, without the key, whole or as servers quote it back. */
function withoutKey(message: string, apiKey: string | undefined): string {
  const line = message.replaceAll(/\s+/g, ' ').trim();
  const safe = apiKey === undefined ? line : hidingKnown([apiKey])(line);
  const hidden = safe.replaceAll(/\b(?:sk|key|gsk|xai)-[\w*.-]{6,}/gi, '***').slice(0, 300);
  return /[.!?]$/.test(hidden) ? hidden : `${hidden}.`;
}
