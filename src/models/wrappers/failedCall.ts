import { ModelError, type ModelErrorKind } from '../../errors.js';

/** A model call that failed and knows whether the server may have charged for it. */
export class FailedCall extends ModelError {
  /** True where the server took the request up: an answer that broke off is billed like a whole one. */
  readonly charged: boolean;

  constructor(
    kind: ModelErrorKind,
    what: string,
    options: {
      readonly cure?: string;
      readonly retryAfterMs?: number;
      readonly cause?: unknown;
      readonly charged: boolean;
    },
  ) {
    super(kind, what, options);
    this.charged = options.charged;
  }
}

/** Whether money may have been spent on a call that threw. In doubt, yes: a cap must hold. */
export function mayHaveBeenCharged(error: unknown): boolean {
  if (error instanceof FailedCall) return error.charged;
  return !(error instanceof ModelError) || !refusals.has(error.kind);
}

/** Said before any work was done. */
const refusals: ReadonlySet<ModelErrorKind> = new Set([
  'auth',
  'quota',
  'model-not-found',
  'endpoint',
  'rate-limit',
  'context-length',
  'cap',
]);
