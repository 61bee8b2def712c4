import type { ModelRequest } from '../../ports/languageModel.js';
import { signsIn, guessInputTokens, leastInputTokens } from '../tokens.js';

/**
 * Notices a prompt that the server cut. Ollama drops what exceeds its context and says so in its own log alone; the reply
 * only counts fewer tokens than were sent. What is left of a prompt that had to be cut fills the context, or since Ollama
 * 0.30 half of it; only where older messages could be left out may it be any number. A tokenizer makes twice as much of one
 * text as of another, so nothing is said where the difference could be one of counting.
 */
export class PromptWatch {
  /** What the model makes of a token of ours: the fewest that it counted of a prompt that fits. */
  #fewestSeen = Infinity;
  #counted = 0;
  /** Counts of prompts that should have had more tokens, by what was said: a cut prompt is as long as the context. */
  readonly #short = new Map<number, number>();

  /** Whether the model saw less than was sent, by the tokens of the prompt that the server counted. */
  isCut(request: ModelRequest, said: number | undefined, context: number | undefined): boolean {
    if (said === undefined || said === 0) return false; // it counts nothing, or not what it had in store
    const cut = context === undefined ? this.#isPlateau(request, said) : this.#exceeds(request, said, context);
    if (!cut) this.#learn(said, guessInputTokens(request));
    return cut;
  }

  /** The fewest tokens that the model may make of a prompt, as far as it is known by now. */
  fewest(request: ModelRequest): number {
    return Math.floor(Math.max(leastInputTokens(request), this.#expected(request)));
  }

  /** Where the server told its context. One that counts more than that has another by now, and cut nothing. */
  #exceeds(request: ModelRequest, said: number, context: number): boolean {
    if (said > context) return false;
    if (said >= context - 1) return true; // full to the brim: no room is left for an answer either
    const mayBeLonger = guessInputTokens(request) + signWeight * signsIn(request) > context * mayExceed;
    if (said < leastInputTokens(request) && mayBeLonger) return true;
    if (isHalf(said, context) && (mayBeLonger || this.#isSaidOfAnother(request, said))) return true;
    return !isOneQuestion(request) && this.fewest(request) > context;
  }

  /** Where it did not: two prompts of different length that are counted alike, and both too short. */
  #isPlateau(request: ModelRequest, said: number): boolean {
    const least = leastInputTokens(request);
    if (said >= Math.max(least, this.#expected(request))) return false;
    const isAlike = this.#isSaidOfAnother(request, said);
    return (said < least && said % contextStep === 0) || isAlike;
  }

  /** Whether a prompt of another length was counted like this one. */
  #isSaidOfAnother(request: ModelRequest, said: number): boolean {
    const ours = guessInputTokens(request);
    const before = this.#short.get(said);
    this.#short.set(said, before ?? ours);
    return before !== undefined && Math.abs(ours - before) > differs * before;
  }

  /** One text may have twice the tokens of another: it takes several to tell, and they never tell more than prose has. */
  #expected(request: ModelRequest): number {
    const told = Math.min(this.#fewestSeen * margin, fewestOfProse);
    return guessInputTokens(request) * (this.#counted < enough ? Math.min(told, fewestOfOurs) : told);
  }

  #learn(said: number, ours: number): void {
    if (ours < shortest || said < ours * fewestOfOurs) return;
    this.#counted += 1;
    this.#fewestSeen = Math.min(this.#fewestSeen, said / ours);
  }
}

/** Nothing of it can be left out but a part of its last message: Ollama keeps that and what the system says. */
function isOneQuestion({ messages }: ModelRequest): boolean {
  return messages.slice(0, -1).every(({ role }) => role === 'system');
}

/** What Ollama 0.30 and later keep of a prompt that is too long: its first tokens and half of the rest. */
function isHalf(said: number, context: number): boolean {
  return firstKept.some((kept) => said === context - Math.floor((context - kept) / 2));
}

/** 4 unless the model's page says otherwise, 24 on those of Llama 3, and one more where a text begins with a token of its own. */
const firstKept: readonly number[] = [4, 5, 24, 25];

const fewestOfOurs = 0.6; // our count is within a third of any tokenizer's on prose and code
const fewestOfProse = 0.75; // of tables, numbers and other scripts it has more, which says nothing of the next text
const enough = 3; // counts
const signWeight = 0.6; // beyond the quarter of a token that a digit or sign has in our count: it is a whole one, or part of one
const mayExceed = 0.65; // of the context, by our count: a prompt of that length may be too long for it
const margin = 0.85; // other texts of the same run may have more in a token
const shortest = 40; // tokens; below them the frame of a chat counts for more than its words
const contextStep = 256; // contexts are multiples of it
const differs = 0.1;
