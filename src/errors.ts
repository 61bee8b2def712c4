/** What can go wrong in a way that the person can mend, one code a case. */
export type UserErrorCode =
  | 'skill-missing'
  | 'skill-empty'
  | 'skill-too-large'
  | 'skill-not-text'
  | 'skill-front-matter'
  | 'skill-changed'
  | 'skill-read-only'
  | 'tasks-missing'
  | 'tasks-malformed'
  | 'tasks-too-few'
  | 'tasks-unconfirmed'
  | 'tasks-unsaved'
  | 'check-malformed'
  | 'scores-malformed'
  | 'prompt-malformed'
  | 'preferences-not-allowed'
  | 'prompt-not-allowed'
  | 'sessions-not-allowed'
  | 'sending-not-allowed'
  | 'options-malformed'
  | 'environment-refused'
  /** The target cannot attempt the tasks: another one can. */
  | 'target-unfit'
  | 'program-failed'
  | 'model-not-chosen'
  | 'model-key-missing'
  | 'model-key-exposed'
  | 'model-failed'
  /** It could be asked, and is not: the person has not allowed it, or it could do more than answer. */
  | 'model-refused'
  | 'cap-reached'
  | 'error-budget-empty'
  | 'busy'
  | 'store-unusable'
  | 'store-newer'
  | 'leads-outside'
  | 'made-elsewhere'
  | 'run-not-resumable'
  | 'record-missing'
  | 'record-malformed'
  | 'record-other-model'
  | 'proposal-missing'
  | 'proposal-stale'
  | 'proposal-not-adoptable'
  | 'nothing-to-undo'
  | 'schedule-refused'
  | 'workspace-untrusted'
  | 'cancelled'
  | 'answers-awaited'
  | 'usage';

/** An error a person will read: what happened, and what to do about it. */
export class UserError extends Error {
  readonly code: UserErrorCode;
  /** The next step, as a sentence the person can act on. */
  readonly cure: string;

  constructor(code: UserErrorCode, what: string, cure: string, options?: { readonly cause?: unknown }) {
    super(what, options);
    this.name = 'UserError';
    this.code = code;
    this.cure = cure;
  }
}

/** A run that has asked all that it can, and goes on once somebody has answered: no failure. */
export class AnswersAwaited extends UserError {
  /** How many prompts wait. */
  readonly waiting: number;
  /** To how many of them the last reply was not of the form that was asked for. */
  readonly formless: number;
  /** Where they lie. */
  readonly folder: string;
  readonly runId: string;

  constructor(
    what: string,
    cure: string,
    about: Pick<AnswersAwaited, 'waiting' | 'folder' | 'runId'> & { readonly formless?: number },
  ) {
    super('answers-awaited', what, cure);
    this.name = 'AnswersAwaited';
    this.waiting = about.waiting;
    this.formless = about.formless ?? 0;
    this.folder = about.folder;
    this.runId = about.runId;
  }
}

/** Files that agents would be given hold what looks like a secret; never the secret itself. */
export class SecretsFound extends UserError {
  /** The skill whose tasks give them. */
  readonly skillPath: string;
  readonly files: readonly FileWithSecrets[];

  constructor(what: string, cure: string, about: Pick<SecretsFound, 'skillPath' | 'files'>) {
    super('environment-refused', what, cure);
    this.name = 'SecretsFound';
    this.skillPath = about.skillPath;
    this.files = about.files;
  }
}

/** A task cannot be attempted as it is written: what it starts from is wrong. */
export class TaskFault extends UserError {
  readonly skillPath: string;
  readonly taskId: string;

  constructor(fault: UserError, about: Pick<TaskFault, 'skillPath' | 'taskId'>) {
    super(fault.code, `Task ${about.taskId}: ${fault.message}`, fault.cure, { cause: fault.cause });
    this.name = 'TaskFault';
    this.skillPath = about.skillPath;
    this.taskId = about.taskId;
  }
}

export interface FileWithSecrets {
  /** As the agent would see it. */
  readonly file: string;
  /** The fixture that it is of, as tasks name it; undefined for the package of the skill. */
  readonly fixture: string | undefined;
  readonly kinds: readonly string[];
  /** Of its bytes: a yes is to these. */
  readonly hash: string;
  /** Where it lies on this machine; what a commit holds may read otherwise there by now. */
  readonly path: string;
  /** Where the first of them stands, from 1. */
  readonly line: number;
}

/** The file by all of its name: its fixture, if it is of one, and what it is called there. */
export function nameOfFile({ file, fixture }: Pick<FileWithSecrets, 'file' | 'fixture'>): string {
  return fixture === undefined ? file : `${fixture.replace(/\/+$/u, '')}/${file}`;
}

/** Why a model call gave no answer. */
export type ModelErrorKind =
  | 'auth'
  | 'quota'
  | 'model-not-found'
  | 'endpoint'
  | 'rate-limit'
  | 'timeout'
  | 'content-filter'
  | 'context-length'
  /** The server dropped a part of the prompt without a word: the answer is one to another question. */
  | 'cut-prompt'
  | 'malformed'
  | 'unavailable'
  /** The server gave no answer for too long, or failed too often in a row: nobody asks it any more. */
  | 'given-up'
  | 'cap'
  /** Somebody else is to answer, in their own time: what the run can ask beside it is asked, then it ends and goes on later. */
  | 'waiting';

/** A model call that gave no answer. Never a score: the caller retries, leaves the pair out, or ends the run. */
export class ModelError extends Error {
  readonly kind: ModelErrorKind;
  /** What the person can do; empty where waiting is the cure. */
  readonly cure: string;
  /** How long the server asked us to wait, if it did. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ModelErrorKind,
    what: string,
    options: { readonly cure?: string; readonly retryAfterMs?: number; readonly cause?: unknown } = {},
  ) {
    super(what, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ModelError';
    this.kind = kind;
    this.cure = options.cure ?? '';
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Errors that no retry mends: the run ends at once with the cure in the message. */
export function isFatal(kind: ModelErrorKind): boolean {
  return fatal.has(kind);
}

const fatal: ReadonlySet<ModelErrorKind> = new Set([
  'auth',
  'quota',
  'model-not-found',
  'endpoint',
  'given-up',
  'cap',
  'waiting',
]);

/** Whether an answer is only not there yet: no failure, and never a score. */
export function isWaiting(error: unknown): boolean {
  return error instanceof ModelError && error.kind === 'waiting';
}

/**
 * What a server does that does not work, or not now: the one answer of everybody who counts failures. Fatal errors are none,
 * they end a run by themselves; all else is said of one request, by a server that works.
 */
export function isSilence(kind: string): boolean {
  return silence.has(kind);
}

const silence: ReadonlySet<string> = new Set<ModelErrorKind>(['unavailable', 'timeout', 'rate-limit', 'malformed']);

/** The text of anything that was thrown. What the system says about files in its own words is said in ours. */
export function messageOf(error: unknown): string {
  const trouble = fileTroubleOf(error);
  if (trouble !== undefined) return trouble.what;
  return error instanceof Error ? error.message : String(error);
}

/** What a person can do about anything that was thrown; empty where nothing is known to help. */
export function cureIn(error: unknown): string {
  if (error instanceof UserError || error instanceof ModelError) return error.cure;
  return fileTroubleOf(error)?.cure ?? '';
}

/** True where the disk or the system is at the end of something, or stumbled: what holds now need not hold in a minute. */
export function isPassing(error: unknown): boolean {
  return fileTroubleOf(error)?.passing === true;
}

interface FileTrouble {
  readonly what: string;
  readonly cure: string;
  readonly passing: boolean;
}

/** Undefined for what the system did not say, and where its own words will do. */
function fileTroubleOf(error: unknown): FileTrouble | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const at = 'path' in error && typeof error.path === 'string' ? ` (${error.path})` : '';
  switch (error.code) {
    case 'ENOSPC':
      return passing(`There is no room left on the disk${at}.`, 'Make room, then try again.');
    case 'EDQUOT':
      return passing(`Your share of the disk is used up${at}.`, 'Make room, then try again.');
    case 'EMFILE':
    case 'ENFILE':
      return passing(`Too many files are open on this machine${at}.`, 'Close some programs, then try again.');
    case 'EIO':
    case 'ESTALE':
      return passing(`The disk or the network drive did not answer${at}.`, 'See that it is there, then try again.');
    case 'EROFS':
      return { what: `The disk is read-only${at}.`, cure: 'Work on a copy that can be written to.', passing: false };
    case 'EBADF':
      return passing('A file was closed before everything was written to it.', 'Run it again.');
    default:
      return undefined;
  }
}

function passing(what: string, cure: string): FileTrouble {
  return { what, cure, passing: true };
}
