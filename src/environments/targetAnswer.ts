import { isFatal, ModelError } from '../errors.js';
import type { AttemptResult } from '../ports/environment.js';
import type { LanguageModel, ModelReply, ModelRequest } from '../ports/languageModel.js';

/** An answer, a failure that the skill itself can cause, or an attempt that the world prevented. */
export type TargetAnswer =
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  | { readonly kind: 'failed'; readonly failure: string }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Asks the target. What no retry mends is thrown and ends the run; everything else is a value. */
export async function askTarget(
  target: LanguageModel,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<TargetAnswer> {
  try {
    return { kind: 'reply', reply: await target.complete(request, signal) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError) || isFatal(error.kind)) throw error;
    if (error.kind === 'context-length') {
      return { kind: 'failed', failure: 'The skill and the task together are longer than the model can read.' };
    }
    return { kind: 'invalid', reason: error.message };
  }
}

/** An attempt that failed for a reason the skill can cause: scored as a fail, with the reason. */
export function failedAttempt(failure: string): AttemptResult {
  return {
    kind: 'answered',
    answer: '',
    toolsCalled: [],
    transcript: [],
    usage: { inputTokens: 0, outputTokens: 0, exact: true },
    cached: false,
    failure,
    scores: undefined,
    extras: {},
  };
}

/** Set where the answer was cut: a skill that makes answers ramble causes that. */
export function failureOf(reply: ModelReply): string | undefined {
  return reply.finish === 'length' ? 'The answer was cut off at its length limit.' : undefined;
}
