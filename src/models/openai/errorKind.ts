import type { ModelErrorKind } from '../../errors.js';
import type { ServerError } from './serverError.js';

/**
 * What kind of failure a server's words amount to. `answeredBefore` tells a server that does not understand us at all
 * from one that choked on this one request.
 */
export function errorKind(error: ServerError, answeredBefore: boolean): ModelErrorKind {
  if (error.connection !== undefined) return connectionKind(error.connection);
  const said = `${error.codes.join(' ')} ${error.message}`.toLowerCase();
  const rule = rules.find(({ statuses, words }) => fits(statuses, error.status) && (words?.test(said) ?? true));
  if (rule !== undefined) return rule.kind;
  if (error.status === undefined || error.status >= 500) return 'unavailable';
  return answeredBefore ? 'malformed' : 'endpoint';
}

/** A status is an answer without work done; so is a door that never opened. In doubt the server has charged. */
export function wasCharged({ status, connection }: ServerError): boolean {
  if (status !== undefined) return false;
  return connection === undefined || !(neverSent.test(connection) || untrusted.test(connection));
}

const neverSent = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;
/** Certificates, and addresses that are none. */
export const untrusted = /CERT|SSL|TLS|ISSUER|VERIFY|EPROTO|INVALID_URL/;

function connectionKind(code: string): ModelErrorKind {
  if (untrusted.test(code)) return 'endpoint';
  return /TIMEDOUT|TIMEOUT/.test(code) ? 'timeout' : 'unavailable';
}

function fits(statuses: readonly number[] | undefined, status: number | undefined): boolean {
  return statuses === undefined || statuses.includes(status ?? 0);
}

interface Rule {
  readonly kind: ModelErrorKind;
  readonly statuses?: readonly number[];
  readonly words?: RegExp;
}

/** The first that fits. Words come before statuses where servers misuse a status. */
const rules: readonly Rule[] = [
  {
    kind: 'content-filter',
    words:
      /content_filter|responsibleaipolicy|content management policy|data_inspection_failed|flagged_input|moderation/,
  },
  {
    kind: 'quota',
    words:
      /insufficient_quota|billing_(?:hard_limit|not_active)|insufficient balance|credit balance is too low|perday|requires more credits|arrearage/,
  },
  { kind: 'quota', statuses: [402] },
  { kind: 'rate-limit', statuses: [429] },
  { kind: 'rate-limit', statuses: [0, 503, 529], words: /rate_limit|overloaded|too many requests/ },
  { kind: 'auth', statuses: [401] },
  {
    kind: 'auth',
    words: /invalid_api_key|api key not valid|incorrect api key|invalid x-api-key|invalid authentication/,
  },
  {
    kind: 'context-length',
    words:
      /context_length_exceeded|context length|context window|maximum context|prompt is too long|too many (?:input )?tokens|exceeds the available context|input is too long|string_above_max_length/,
  },
  { kind: 'context-length', statuses: [413] },
  {
    kind: 'model-not-found',
    words:
      /model_not_found|deploymentnotfound|model[^.]{0,80}(?:not found|does not exist|not exist|is not available)|no such model|not a valid model|try pulling it|no endpoints found|no models? loaded/,
  },
  { kind: 'auth', statuses: [403] },
  { kind: 'timeout', statuses: [408, 504] },
  { kind: 'endpoint', statuses: [301, 302, 303, 307, 308, 404, 405, 410, 501] },
];
