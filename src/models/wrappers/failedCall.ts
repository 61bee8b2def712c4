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
