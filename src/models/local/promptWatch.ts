import type { ModelRequest } from '../../ports/languageModel.js';
import { guessInputTokens, leastInputTokens } from '../tokens.js';

/**
 * Notices a prompt that the server cut. Ollama drops what exceeds its context and says so in its own log alone; the reply
 * only counts fewer tokens than were sent. Tokenizers differ by a third, so our own count is held against what the same
 * model counted of shorter prompts, and nothing is said where the difference could be one of counting.
 */
export class PromptWatch {
  /** What the model makes of a token of ours: the fewest that it counted of a prompt that fits. */
  #leanest = fewestOfOurs;
  #counted = 0;
  /** Counts of prompts that should have had more tokens, by what was said: a cut prompt is as long as the context. */
  readonly #short = new Map<number, number>();

  /** Whether the model saw less than was sent, by the tokens of the prompt that the server counted. */
  isCut(request: ModelRequest, said: number | undefined, context: number | undefined): boolean {
    if (said === undefined || said === 0) return false; // it counts nothing, or not what it had in store
    const ours = guessInputTokens(request);
    const least = leastInputTokens(request);
    const cut =
      context === undefined ? this.#isPlateau(said, { ours, least }) : this.#exceeds(context, said, ours, least);
    if (!cut) this.#learn(said, ours);
    return cut;
  }

  /** The fewest tokens that the model may make of a prompt, as far as it is known by now. */
  fewest(request: ModelRequest): number {
    return Math.floor(Math.max(leastInputTokens(request), this.#expected(guessInputTokens(request))));
  }

  /** Where the server told its context. One that counts more than that has another by now, and cut nothing. */
  #exceeds(context: number, said: number, ours: number, least: number): boolean {
    if (said > context) return false;
    if (said >= context - 1) return true; // full to the brim: no room is left for an answer either
    if (said < least && ours > context * mayExceed) return true; // messages that did not fit were left out
    return Math.max(least, this.#expected(ours)) > context;
  }

  /** Where it did not: two prompts of different length that are counted alike, and both too short. */
  #isPlateau(said: number, { ours, least }: { readonly ours: number; readonly least: number }): boolean {
    if (said >= Math.max(least, this.#expected(ours))) return false;
    const before = this.#short.get(said);
    this.#short.set(said, before ?? ours);
    if (said < least && said % contextStep === 0) return true;
    return before !== undefined && Math.abs(ours - before) > differs * before;
  }

  #expected(ours: number): number {
    return ours * this.#leanest;
  }

  /** A count of a short prompt says what a token is here; the first few may still be odd ones. */
  #learn(said: number, ours: number): void {
    if (ours < shortest || said < ours * fewestOfOurs) return;
    this.#counted += 1;
    const ratio = (said / ours) * margin;
    this.#leanest = this.#counted === 1 ? ratio : Math.min(this.#leanest, ratio);
  }
}

const fewestOfOurs = 0.6; // our count is within a third of any tokenizer's on prose and code
const mayExceed = 0.75; // of the context, by our count: a prompt of that length may be too long for it
const margin = 0.85; // other texts of the same run may have more in a token
const shortest = 40; // tokens; below them the frame of a chat counts for more than its words
const contextStep = 256; // contexts are multiples of it
const differs = 0.1;
