import type { ModelRequest, ModelUsage, ServedModel } from '../../ports/languageModel.js';
import { FailedCall } from '../wrappers/failedCall.js';
import { guessInputTokens } from '../tokens.js';
import { PromptWatch } from './promptWatch.js';

/** What a call came to, as far as its prompt goes. */
interface Counted {
  readonly request: ModelRequest;
  /** Tokens of the prompt that the server says it read. */
  readonly said: number | undefined;
  readonly usage: ModelUsage;
}

/**
 * Refuses answers to a prompt that the server cut: they are no answers to what was asked, and never a score. One may be an
 * odd task; after the second nobody asks any more, for the context of the server is too small for the run.
 */
export class WholePrompts {
  readonly #watch = new PromptWatch();
  readonly #askServed: (signal: AbortSignal) => Promise<ServedModel | undefined>;
  #served: Promise<ServedModel | undefined> | undefined;
  #cut = 0;

  constructor(askServed: (signal: AbortSignal) => Promise<ServedModel | undefined>) {
    this.#askServed = askServed;
  }

  /** Throws where the model did not see the whole prompt. The model is loaded by its first answer: then its context is asked for. */
  async refuseCut({ request, said, usage }: Counted, signal: AbortSignal): Promise<void> {
    const served = await (this.#served ??= this.#askServed(signal));
    const context = served?.isSure === true ? served.contextTokens : undefined;
    if (!this.#watch.isCut(request, said, context)) return;
    this.#cut += 1;
    const whole = guessInputTokens(request);
    const what = `The server read ${said} tokens of a prompt of about ${whole}: it cut the rest without a word, and its answer counts for nothing.`;
    const cure = served?.longerContext(roomFor(whole, request.maxOutputTokens)) ?? otherwise;
    const failure = { cure, charged: true, usage };
    if (this.#cut < mostCut) throw new FailedCall('cut-prompt', what, failure);
    throw new FailedCall('endpoint', `${what} This was the second one, so the run ends here.`, failure);
  }
}

const mostCut = 2;
const otherwise = 'Give the model a longer context where its server sets it, or shorten the skill or the task.';

/** A context that holds prompt and answer, as people write them: the next power of two. */
export function roomFor(prompt: number, answer: number): number {
  return 2 ** Math.ceil(Math.log2(prompt * doubt + answer));
}

const doubt = 1.25; // of our own count
