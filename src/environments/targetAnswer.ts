import { endsInRepetition } from '../endlessText.js';
import { isFatal, ModelError } from '../errors.js';
import type { AttemptResult, TranscriptTurn } from '../ports/environment.js';
import type { LanguageModel, ModelMessage, ModelReply, ModelRequest, ModelUsage } from '../ports/languageModel.js';
import { roomRequest, type AnswerRoom } from '../prompts/answerRoom.js';

/**
 * An answer, nothing but thinking however much room there was, another failure that the skill itself can cause, or an
 * attempt that a failure outside the skill prevented.
 */
export type TargetAnswer =
  | { readonly kind: 'reply'; readonly reply: ModelReply; readonly hadMoreRoom?: true }
  | { readonly kind: 'thought-only'; readonly failure: string; readonly usage: ModelUsage }
  | { readonly kind: 'failed'; readonly failure: string }
  | { readonly kind: 'invalid'; readonly reason: string };

/**
 * Asks the target, once more with more room where thinking left no answer. What no retry mends is thrown and ends the run;
 * everything else is a value.
 */
export async function askTarget(
  target: LanguageModel,
  request: Omit<ModelRequest, 'maxOutputTokens'>,
  room: AnswerRoom,
  signal: AbortSignal,
): Promise<TargetAnswer> {
  const first = await askOnce(target, { ...request, ...roomRequest(room) }, signal);
  if (first.kind !== 'reply' || !isThoughtOnly(first.reply)) return first;
  const { usage } = first.reply;
  if (room.second <= room.first) return thoughtOnly(room.first, usage);
  const second = await askOnce(target, { ...request, ...roomRequest(room, true) }, signal);
  // More room than the model has says nothing about the skill and the task.
  if (second.kind === 'failed') return thoughtOnly(room.first, usage);
  if (second.kind !== 'reply') return second;
  const both = usageOfBoth(usage, second.reply.usage);
  if (isThoughtOnly(second.reply)) return thoughtOnly(room.second, both);
  return { kind: 'reply', reply: { ...second.reply, usage: both, cached: false }, hadMoreRoom: true };
}

/** An agent that said nothing before it was ended came to one of its limits, whatever it thought. */
function isThoughtOnly({ finish, text, toolCalls, work }: ModelReply): boolean {
  return work === undefined && finish === 'length' && text.trim() === '' && toolCalls.length === 0;
}

function thoughtOnly(tokens: number, usage: ModelUsage): TargetAnswer {
  const failure = `The model’s thinking used up its room of ${tokens} tokens, and no answer came.`;
  return { kind: 'thought-only', failure, usage };
}

/** What two calls used. */
export function usageOfBoth(a: ModelUsage, b: ModelUsage): ModelUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    exact: a.exact && b.exact,
    ...(a.ms === undefined || b.ms === undefined ? {} : { ms: a.ms + b.ms }),
  };
}

async function askOnce(target: LanguageModel, request: ModelRequest, signal: AbortSignal): Promise<TargetAnswer> {
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

type AnsweredAttempt = Extract<AttemptResult, { kind: 'answered' }>;

/** An attempt that came to an end; what is not given is nothing. */
export function answered(parts: Partial<AnsweredAttempt>): AttemptResult {
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

/** What is wrong with an answer that was cut: a skill that makes answers ramble causes that. */
export function failureOf({ finish, text }: ModelReply): Pick<AnsweredAttempt, 'failure' | 'endless'> {
  if (finish !== 'length') return { failure: undefined };
  if (endsInRepetition(text)) return { failure: saidOverAndOver, endless: true };
  return { failure: 'The answer was cut off at its length limit.' };
}

const saidOverAndOver = 'The model said the same over and over, and was stopped.';
