import type { ModelErrorKind } from '../../errors.js';
import { hidingKnown } from '../../redaction/knownSecrets.js';
import { errorKind, wasCharged, type ServerError } from '../openai/serverError.js';
import { FailedCall } from '../wrappers/failedCall.js';
import type { AgentFailure, AgentKind, AgentLogin } from './agentKind.js';

/** What a program tells of a failure, as a failed call with its cure: never with a secret in it. */
export function failedAgent(kind: AgentKind, failure: AgentFailure, { login, model }: AskedWith = {}): FailedCall {
  const server = asOfServer(failure);
  const said = shown(failure.said, login?.secrets ?? []);
  if (isForbidden(failure)) return forbidden(kind, said, failure);
  const error = failure.error ?? errorKind(server, true);
  return new FailedCall(error, `${happened(kind, error)}: ${said}`, {
    cure: error === 'model-not-found' ? modelCure(kind, model) : cureOf(kind, error),
    charged: failure.status === undefined ? !refused.has(error) : wasCharged(server),
    sent: failure.sent ?? true,
  });
}

/** What the program was asked with. */
interface AskedWith {
  readonly login?: AgentLogin | undefined;
  /** Undefined where the program chose. */
  readonly model?: string | undefined;
}

/** How long nothing came, with what a person can do about it. */
export function stalledAgent(kind: AgentKind, ranOut: string): FailedCall {
  const cure = cureOf(kind, 'timeout');
  return new FailedCall('timeout', `${kind.label} took too long: ${ranOut}.`, { cure, charged: true });
}

function modelCure(
  { id, label, listsModels, suggests: [example = 'model'] = [] }: AgentKind,
  model: string | undefined,
) {
  return model === undefined
    ? `Name a model that ${label} offers (“${listsModels}” lists them), as ${id}/${example}: the one that it takes by itself is not there.`
    : `Choose a model that ${label} offers (“${listsModels}” lists them), or name ${id} alone, which takes its own.`;
}

/** Whoever manages the account or the machine does not let it answer: a new login would not help. */
function isForbidden({ said, status = 403, error = 'auth' }: AgentFailure): boolean {
  if ((status !== 401 && status !== 403) || error !== 'auth') return false;
  if (/content|usage polic|moderation|safety/iu.test(said)) return false; // what was asked, not who asks
  return forbids.some((pattern) => pattern.test(said));
}

const forbids = [
  /(?:polic(?:y|ies)|administrator|managed settings|organi[sz]ation)\b.{0,80}(?:den(?:y|ied)|block|disabl|prevent|restrict|not (?:allow|permit))/isu,
  /(?:denied|blocked|disabled|prevented|restricted|not (?:allowed|permitted)) by\b.{0,60}(?:polic|admin|organi[sz]ation)/isu,
];

function forbidden({ label }: AgentKind, said: string, { sent = true }: AgentFailure): FailedCall {
  return new FailedCall('auth', `A policy does not let ${label} answer: ${said}`, {
    cure: 'Ask whoever manages your account or this machine, or choose another model.',
    charged: false,
    sent,
  });
}

function asOfServer({ said, status }: AgentFailure): ServerError {
  return {
    status,
    message: said,
    codes: [],
    parameter: undefined,
    retryAfterMs: undefined,
    connection: undefined,
    instead: undefined,
  };
}

const refused: ReadonlySet<ModelErrorKind> = new Set([
  'auth',
  'quota',
  'model-not-found',
  'endpoint',
  'rate-limit',
  'context-length',
]);

function happened({ label }: AgentKind, error: ModelErrorKind): string {
  switch (error) {
    case 'auth':
      return `The login of ${label} was not accepted`;
    case 'quota':
      return `The plan or account of ${label} is used up`;
    case 'model-not-found':
      return `${label} has no such model`;
    case 'endpoint':
      return `${label} did not take the call`;
    case 'rate-limit':
      return `${label} asks for fewer calls`;
    case 'timeout':
      return `${label} did not answer in time`;
    case 'content-filter':
      return `${label} refused the content`;
    case 'context-length':
    case 'cut-prompt':
      return `The prompt is too long for ${label}`;
    case 'malformed':
    case 'unavailable':
    case 'given-up':
    case 'cap':
    case 'waiting':
      return `${label} gave no answer`;
  }
}

function cureOf({ label, commands: [command = label], logIn, install }: AgentKind, error: ModelErrorKind): string {
  switch (error) {
    case 'auth':
      return `Log in again: ${logIn}`;
    case 'quota':
      return 'Wait until the plan gives more, add credit, or choose another model.';
    case 'endpoint':
      return `Install a version that is known to work: ${install}`;
    case 'content-filter':
      return 'Rephrase the task, or choose another model for it.';
    case 'context-length':
    case 'cut-prompt':
      return 'Choose a model with a larger context, or shorten the skill or the task.';
    case 'timeout':
      return `Run “${command}” in a terminal to see whether it answers there, then run again; or choose another model.`;
    case 'model-not-found':
    case 'rate-limit':
    case 'malformed':
    case 'unavailable':
    case 'given-up':
    case 'cap':
    case 'waiting':
      return '';
  }
}

function shown(said: string, secrets: readonly string[]): string {
  const line = hidingKnown(secrets)(said).replaceAll(/\s+/g, ' ').trim().slice(0, 300);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
