/** What a call asked of the server. */
export interface CallWork {
  readonly promptTokens: number;
  readonly answerTokens: number;
}

/** Work that was done at one width. */
export interface WidthMeasurement extends CallWork {
  readonly width: number;
  readonly ms: number;
}

/** Both together, of the same width. */
export function added(one: WidthMeasurement, other: WidthMeasurement): WidthMeasurement {
  return {
    width: one.width,
    promptTokens: one.promptTokens + other.promptTokens,
    answerTokens: one.answerTokens + other.answerTokens,
    ms: one.ms + other.ms,
  };
}

/**
 * How many times as much was done in the same time as in the other: at least, most likely and at most. How much work it is to
 * read a token nobody tells: half of writing one on a processor, next to nothing on a graphics card, or where a server keeps
 * what it has read. Where the calls of both were of like kinds the three are close.
 */
export function gainOver(
  one: WidthMeasurement,
  other: WidthMeasurement,
): { readonly least: number; readonly likely: number; readonly most: number } {
  const [low = 1, likely = 1, high = 1] = readWeights.map((weight) => paceOf(one, weight) / paceOf(other, weight));
  return { least: Math.min(low, likely, high), likely, most: Math.max(low, likely, high) };
}

function paceOf({ promptTokens, answerTokens, ms }: WidthMeasurement, readWeight: number): number {
  return (answerTokens + promptTokens * readWeight) / Math.max(1, ms);
}

const readWeights = [0.02, 0.1, 1];

/**
 * Measures what is done while exactly as many calls are under way as the width allows. At the end of a stage, and while one
 * call goes alone that others wait for, there are fewer: that time says nothing about the width, and neither do the first
 * answers after it, whose work was begun together.
 */
export class WidthRound {
  readonly width: number;
  /** Since when as many calls as that are under way, and how many answers are still left out. */
  #full: { readonly since: number; readonly skips: number; readonly counted: number } | undefined;
  /** When there was one call less, and for how long that is but the change from one call to the next. */
  #fell: { readonly at: number; readonly allowedMs: number } | undefined;
  #sum = { promptTokens: 0, answerTokens: 0, ms: 0 };
  #answers = 0;
  #inVain = 0;

  constructor(width: number) {
    this.width = width;
  }

  /** Stages are too short to tell: it was reached again and again, and each time over before an answer counted. */
  get isTooWide(): boolean {
    return this.#answers === 0 && this.#inVain >= mostInVain;
  }

  /** A call begins; `underWay` with it. */
  begun(now: number, underWay: number): void {
    this.#look(now);
    if (underWay < this.width) return;
    this.#fell = undefined;
    if (underWay === this.width) this.#full ??= { since: now, skips: this.width, counted: 0 };
  }

  /** A call ends; `underWay` without it. Without `work` it brought no answer. Gives what was measured once it is enough. */
  ended(
    now: number,
    underWay: number,
    { ms, work }: { readonly ms: number; readonly work: CallWork | undefined },
  ): WidthMeasurement | undefined {
    this.#look(now);
    if (work === undefined) this.#end();
    else this.#count(now, work);
    if (underWay < this.width) this.#fell ??= { at: now, allowedMs: Math.max(briefMs, ms * briefShare) };
    return this.#answers < enoughAnswers(this.width) ? undefined : { width: this.width, ...this.#sum };
  }

  #look(now: number): void {
    if (this.#fell !== undefined && now - this.#fell.at > this.#fell.allowedMs) this.#end();
  }

  #end(): void {
    if (this.#full?.counted === 0) this.#inVain += 1;
    this.#full = undefined;
  }

  #count(now: number, { promptTokens, answerTokens }: CallWork): void {
    if (this.#full === undefined) return;
    const { since, skips, counted } = this.#full;
    this.#full = { since: now, skips: Math.max(0, skips - 1), counted: counted + (skips > 0 ? 0 : 1) };
    if (skips > 0) return;
    this.#answers += 1;
    this.#sum = {
      promptTokens: this.#sum.promptTokens + promptTokens,
      answerTokens: this.#sum.answerTokens + answerTokens,
      ms: this.#sum.ms + now - since,
    };
  }
}

/** Fewer say little where answers differ in length; more are not there in the stages of most runs. */
function enoughAnswers(width: number): number {
  return Math.max(4, Math.min(3 * width, width + 8));
}

const mostInVain = 2;
const briefMs = 20;
const briefShare = 0.1; // of the time that the call before took
