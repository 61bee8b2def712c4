import { ModelError, type ModelErrorKind } from '../../errors.js';
import type { ModelUsage } from '../../ports/languageModel.js';

interface FailedCallOptions {
  readonly cure?: string;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
  /** True where the server took the request up: an answer that broke off is billed like a whole one. */
  readonly charged: boolean;
  /** False where nothing ever left this machine: then no call was made. */
  readonly sent?: boolean;
  /** What it used, where a whole answer came that is of no use. */
  readonly usage?: ModelUsage;
  /** Tokens that the server says it charges, though it failed. */
  readonly said?: number;
  /** True where asking again would only cost the same again. */
  readonly lasting?: boolean;
  /** Who made it, where it was made on a queue. */
  readonly worker?: string | undefined;
}

/** A model call that failed and knows whether the server may have charged for it. */
export class FailedCall extends ModelError {
  readonly charged: boolean;
  readonly sent: boolean;
  readonly usage: ModelUsage | undefined;
  readonly said: number;
  readonly lasting: boolean;
  readonly worker: string | undefined;

  constructor(kind: ModelErrorKind, what: string, options: FailedCallOptions) {
    super(kind, what, options);
    this.said = options.said ?? 0;
    this.lasting = options.lasting ?? false;
    this.charged = options.charged;
    this.sent = options.sent ?? true;
    this.usage = options.usage;
    this.worker = options.worker;
  }

  /** The same, with what the server says that it charges. */
  saying(said: number): FailedCall {
    if (said <= this.said) return this;
    const { kind, message, cure, retryAfterMs, cause, charged, sent, usage, lasting, worker } = this;
    return new FailedCall(kind, message, {
      ...(cure === undefined ? {} : { cure }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(usage === undefined ? {} : { usage }),
      cause,
      charged,
      sent,
      said,
      lasting,
      worker,
    });
  }
}

/** A request that the server did not take in its form; the next one is made in another. */
export class RefusedForm extends FailedCall {
  constructor(said = 0) {
    super('malformed', 'The server refused the form of the request.', { charged: false, said });
  }
}

/** Asks until a form is taken. More refusals than there are forms is a server that contradicts itself. */
export async function inSomeForm<T>(ask: () => Promise<T>): Promise<T> {
  for (let refusals = 0; ; refusals += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof RefusedForm)) throw error;
      if (refusals >= mostRefusals) throw new ModelError('endpoint', 'The server refuses every form of the request.');
    }
  }
}

const mostRefusals = 10;

/**
 * What a call that threw is booked at; undefined where none was made. In doubt the worst case, for a cap must hold; a
 * call that was refused costs nothing and is a call all the same. What the server says that it charges counts where it is
 * more.
 */
export function usageOfFailure(error: unknown, worst: ModelUsage): ModelUsage | undefined {
  if (!(error instanceof ModelError)) return worst;
  if (error.kind === 'cap') return undefined;
  if (!(error instanceof FailedCall)) return refusals.has(error.kind) ? nothingUsed : worst;
  if (!error.sent) return undefined;
  return atLeast(error.said, error.usage ?? (error.charged ? worst : nothingUsed));
}

function atLeast(said: number, usage: ModelUsage): ModelUsage {
  const more = said - usage.inputTokens - usage.outputTokens;
  return more <= 0 ? usage : { ...usage, outputTokens: usage.outputTokens + more, exact: false };
}

const nothingUsed: ModelUsage = { inputTokens: 0, outputTokens: 0, exact: true };

/** Said before any work was done. */
const refusals: ReadonlySet<ModelErrorKind> = new Set([
  'auth',
  'quota',
  'model-not-found',
  'endpoint',
  'rate-limit',
  'context-length',
]);
