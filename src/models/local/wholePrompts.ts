import type { ModelReply, ModelRequest, ServedModel } from '../../ports/languageModel.js';
import type { SaidUsage } from '../bookedUsage.js';
import { FailedCall } from '../wrappers/failedCall.js';
import { guessInputTokens, guessTokens, leastInputTokens } from '../tokens.js';
import { PromptWatch } from './promptWatch.js';

/** What a call came to. */
interface AnsweredCall {
  readonly request: ModelRequest;
  /** The longest answer that was wanted, whatever the context had room for. */
  readonly wanted: number;
  readonly reply: ModelReply;
  /** What the server says that it read and wrote. */
  readonly said: SaidUsage;
}

type SentPrompt = Pick<AnsweredCall, 'request' | 'said'>;

/**
 * Refuses answers to a prompt that the server cut: they are no answers to what was asked, and never a score. One may be an
 * odd task; after the second nobody asks any more, for the context of the server is too small for the run. The same server
 * drops half of its prompt in the middle of an answer, once both together fill its context: such an answer was cut there.
 */
export class WholePrompts {
  readonly #watch = new PromptWatch();
  readonly #askServed: (signal: AbortSignal) => Promise<ServedModel | undefined>;
  #asked: Promise<ServedModel | undefined> | undefined;
  #served: ServedModel | undefined;
  #cut = 0;

  constructor(askServed: (signal: AbortSignal) => Promise<ServedModel | undefined>) {
    this.#askServed = askServed;
  }

  /** The same request for an answer that is no longer than what its prompt leaves of the context, once that is known. */
  withinContext(request: ModelRequest): ModelRequest {
    const context = this.#served?.cutsSilently === true ? sureContext(this.#served) : undefined;
    if (context === undefined) return request;
    const room = Math.max(leastRoom, context - this.#watch.fewest(request));
    return room < request.maxOutputTokens ? { ...request, maxOutputTokens: room } : request;
  }

  /** Throws where the model did not see the whole prompt. The model is loaded by its first answer: then its context is asked for. */
  async whole({ request, wanted, reply, said }: AnsweredCall, signal: AbortSignal): Promise<ModelReply> {
    const served = await (this.#asked ??= this.#askServed(signal));
    this.#served = served;
    const cut = this.#cutWords({ request, said }, served);
    if (cut !== undefined) throw this.#refused(cut, { request, reply }, served);
    const left = served?.cutsSilently === true ? leftByPrompt(said, sureContext(served)) : undefined;
    if (left !== undefined && left < leastRoom) {
      const full = `The prompt left ${left} tokens of the server’s context for an answer, which did not end in them: from there on the server forgets the prompt, and its answer counts for nothing.`;
      throw this.#refused(full, { request, reply }, served);
    }
    const hadNoRoom = reply.finish === 'length' && request.maxOutputTokens < wanted;
    return left !== undefined || hadNoRoom ? cutByContext({ request, wanted, reply, said }, served) : reply;
  }

  /** How it shows that the server cut the prompt; undefined where it does not. */
  #cutWords({ request, said }: SentPrompt, served: ServedModel | undefined): string | undefined {
    const context = sureContext(served);
    if (this.#watch.isCut(request, said.input, context))
      return `The server read ${said.input} tokens of a prompt of about ${guessInputTokens(request)}: it cut the rest without a word, and its answer counts for nothing.`;
    if (isUncounted({ request, said }, served))
      return `The prompt has at least ${leastInputTokens(request)} tokens, more than the server’s context of ${context}: it cut the rest without a word, and its answer counts for nothing.`;
    return undefined;
  }

  #refused(
    what: string,
    { request, reply }: Pick<AnsweredCall, 'request' | 'reply'>,
    served: ServedModel | undefined,
  ): FailedCall {
    this.#cut += 1;
    const room = roomFor(guessInputTokens(request), Math.min(request.maxOutputTokens, usualAnswer));
    const failure = { cure: served?.longerContext(room) ?? otherwise, charged: true, usage: reply.usage };
    if (this.#cut < mostCut) return new FailedCall('cut-prompt', what, failure);
    return new FailedCall('endpoint', `${what} This was the second one, so the run ends here.`, failure);
  }
}

const mostCut = 2;
const otherwise = 'Give the model a longer context where its server sets it, or shorten the skill or the task.';

/** Tokens that a prompt should leave for its answer. */
export const leastRoom = 512;

/** Tokens of an answer that a context should have room for. */
export const usualAnswer = 1_024;

function sureContext(served: ServedModel | undefined): number | undefined {
  return served?.isSure === true ? served.contextTokens : undefined;
}

/** More room would be no use, where the context has none: what helps is a longer one. */
function cutByContext({ request, wanted, reply, said }: AnsweredCall, served: ServedModel | undefined): ModelReply {
  const longer = Math.min(wanted, 2 * (said.output ?? guessTokens(reply.text)));
  const contextCure = served?.longerContext(roomFor(guessInputTokens(request), longer));
  return { ...reply, finish: 'length', contextCure };
}

/** Whether a prompt exceeds the context although nothing was counted: of an answer that is read no further nobody says its usage. */
function isUncounted({ request, said }: SentPrompt, served: ServedModel | undefined): boolean {
  if (served?.cutsSilently !== true || (said.input ?? 0) > 0) return false;
  return leastInputTokens(request) > (sureContext(served) ?? Infinity);
}

/** What the prompt left of the context, where the answer used all of that up; undefined where it did not. */
function leftByPrompt({ input = 0, output = 0 }: SaidUsage, context = 0): number | undefined {
  const isFull = input > 0 && input <= context && input + output >= context;
  return isFull ? context - input : undefined;
}

/** A context that holds prompt and answer, as people write them: the next power of two. */
export function roomFor(prompt: number, answer: number): number {
  return 2 ** Math.ceil(Math.log2(prompt * doubt + answer));
}

const doubt = 1.25; // of our own count
