import { isFatal, ModelError, type ModelErrorKind } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { FailedCall } from './failedCall.js';

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
 * Asks again where the world failed, never where asking again cannot help: fatal errors end the run, a prompt that is
 * too long stays too long, and whoever did not keep to the length of an answer once does not the next time. The server's wish to wait comes before ours; a wish longer than `longestWaitMs` is a no.
 */
export function withRetry(model: LanguageModel, options: RetryOptions): LanguageModel {
  const { clock, attempts = mostAttempts, longestWaitMs = 120_000 } = options;
  return {
    identity: model.identity,
    complete: async (request, signal) => {
      const failures: ModelError[] = [];
      for (;;) {
        try {
          return await model.complete(request, signal);
        } catch (error) {
          if (!(error instanceof ModelError)) throw error;
          if (error.kind === 'cap' && failures.length > 0) throw reachedInVain(error, failures.at(-1));
          failures.push(error);
          if (signal.aborted || failures.length >= attempts || !isWorthRetrying(failures, longestWaitMs)) throw error;
          const waitMs = waitBefore(failures.length, error, options);
          options.onRetry?.({ kind: error.kind, attempt: failures.length, waitMs });
          await clock.sleep(waitMs, signal);
        }
      }
    },
  };
}

/** A cap that was reached by asking again: what came to nothing before is its cause. */
function reachedInVain({ message, cure }: ModelError, failure: ModelError | undefined): ModelError {
  return new ModelError('cap', message, { cure, cause: failure });
}

/** Where three calls of ten fail, one of fifty thousand fails nine times: a run of some hundred calls loses none. */
const mostAttempts = 9;

function isWorthRetrying(failures: readonly ModelError[], longestWaitMs: number): boolean {
  const last = failures.at(-1);
  if (last === undefined || isFatal(last.kind) || isSaidOfPrompt(last.kind)) return false;
  if (last instanceof FailedCall && last.lasting) return false;
  const most = mostOf[last.kind];
  if (most !== undefined && failures.filter(({ kind }) => kind === last.kind).length >= most) return false;
  return (last.retryAfterMs ?? 0) <= longestWaitMs;
}

/** It stays as long as it is, and the server's context as short. */
function isSaidOfPrompt(kind: ModelErrorKind): boolean {
  return kind === 'context-length' || kind === 'cut-prompt';
}

/** How often a call is made whose answer came and was of no use: each may be charged. */
const mostOf: Readonly<Partial<Record<ModelErrorKind, number>>> = {
  'content-filter': 2, // a filter can be a matter of luck once
  malformed: 4, // where six answers of a hundred are empty or broken, one call of seventy thousand is lost
};

const longestBackoffMs = 30_000; // our own; a server may ask for more

function waitBefore(attempt: number, failure: ModelError, options: RetryOptions): number {
  const { random, firstWaitMs = 500, longestWaitMs = 120_000 } = options;
  if (failure.retryAfterMs !== undefined) return failure.retryAfterMs + Math.round(random() * firstWaitMs);
  return Math.round(random() * Math.min(longestWaitMs, longestBackoffMs, firstWaitMs * 2 ** attempt));
}
