import { handleWhen, retry } from 'cockatiel';
import { isFatal, ModelError, type ModelErrorKind } from '../errors.js';
import type { Clock } from '../ports/clock.js';
import type { LanguageModel } from '../ports/languageModel.js';

export interface RetryOptions {
  readonly clock: Clock;
  /** Numbers in [0, 1): full jitter, so that callers that failed together do not come back together. */
  readonly random: () => number;
  /** The first one included. */
  readonly attempts?: number;
  readonly firstWaitMs?: number;
  readonly longestWaitMs?: number;
  readonly onRetry?: (retry: {
    readonly kind: ModelErrorKind;
    readonly attempt: number;
    readonly waitMs: number;
  }) => void;
}

/**
 * Asks again where the world failed, never where asking again cannot help: fatal errors end the run, and a prompt that is
 * too long stays too long. The server's wish to wait comes before ours; a wish longer than `longestWaitMs` is a no.
 */
export function withRetry(model: LanguageModel, options: RetryOptions): LanguageModel {
  const { clock, attempts = 7, longestWaitMs = 120_000 } = options;
  // The policy counts and classifies. It does not wait: its own wait hears no abort and no injected clock.
  const policy = retry(
    handleWhen((error) => isWorthRetrying(error, longestWaitMs)),
    { maxAttempts: attempts - 1 },
  );
  return {
    identity: model.identity,
    complete: (request, signal) => {
      let failure: ModelError | undefined;
      return policy.execute(async ({ attempt }) => {
        if (failure !== undefined) {
          const waitMs = waitBefore(attempt, failure, options);
          options.onRetry?.({ kind: failure.kind, attempt, waitMs });
          await clock.sleep(waitMs, signal);
        }
        try {
          return await model.complete(request, signal);
        } catch (error) {
          failure = error instanceof ModelError ? error : undefined;
          throw error;
        }
      }, signal);
    },
  };
}

function isWorthRetrying(error: Error, longestWaitMs: number): boolean {
  if (!(error instanceof ModelError) || isFatal(error.kind) || error.kind === 'context-length') return false;
  return (error.retryAfterMs ?? 0) <= longestWaitMs;
}

function waitBefore(attempt: number, failure: ModelError, options: RetryOptions): number {
  const { random, firstWaitMs = 500, longestWaitMs = 120_000 } = options;
  if (failure.retryAfterMs !== undefined) return failure.retryAfterMs + Math.round(random() * firstWaitMs);
  return Math.round(random() * Math.min(longestWaitMs, firstWaitMs * 2 ** attempt));
}
