import { ModelError, type ModelErrorKind } from '../../errors.js';
import type { ModelRequest, ModelUsage } from '../../ports/languageModel.js';
import { worstUsage } from '../tokens.js';

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
}

/** A model call that failed and knows whether the server may have charged for it. */
export class FailedCall extends ModelError {
  readonly charged: boolean;
  readonly sent: boolean;
  readonly usage: ModelUsage | undefined;

  constructor(kind: ModelErrorKind, what: string, options: FailedCallOptions) {
    super(kind, what, options);
    this.charged = options.charged;
    this.sent = options.sent ?? true;
    this.usage = options.usage;
  }
}

/** A request that the server did not take in its form; the next one is made in another. */
export class RefusedForm extends FailedCall {
  constructor() {
    super('malformed', 'The server refused the form of the request.', { charged: false });
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
 * call that was refused costs nothing and is a call all the same.
 */
export function usageOfFailure(
  error: unknown,
  request: ModelRequest,
  worst = worstUsage(request),
): ModelUsage | undefined {
  if (!(error instanceof ModelError)) return worst;
  if (error.kind === 'cap') return undefined;
  if (!(error instanceof FailedCall)) return refusals.has(error.kind) ? nothingUsed : worst;
  if (!error.sent) return undefined;
  return error.usage ?? (error.charged ? worst : nothingUsed);
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
