import { isFatal, ModelError } from '../errors.js';
import type { AttemptResult, TranscriptTurn } from '../ports/environment.js';
import type { LanguageModel, ModelMessage, ModelReply, ModelRequest } from '../ports/languageModel.js';

/** An answer, a failure that the skill itself can cause, or an attempt that a failure outside the skill prevented. */
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

type Answered = Extract<AttemptResult, { kind: 'answered' }>;

/** An attempt that came to an end; what is not given is nothing. */
export function answered(parts: Partial<Answered>): AttemptResult {
  return {
    kind: 'answered',
    answer: '',
    toolsCalled: [],
    transcript: [],
    usage: { inputTokens: 0, outputTokens: 0, exact: true },
    cached: false,
    failure: undefined,
    scores: undefined,
    extras: {},
    ...parts,
  };
}

/** The question as the transcript shows it. */
export function asked(messages: readonly ModelMessage[]): readonly TranscriptTurn[] {
  return messages.map(({ role, content }) => ({
    kind: 'message',
    role: role === 'system' ? 'system' : 'user',
    text: content,
  }));
}

/** Set where the answer was cut: a skill that makes answers ramble causes that. */
export function failureOf(reply: ModelReply): string | undefined {
  return reply.finish === 'length' ? 'The answer was cut off at its length limit.' : undefined;
}
