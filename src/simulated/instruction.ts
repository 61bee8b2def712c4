import type { AnswerPlan } from './target/plan.js';
import type { Statement } from './reading/statements.js';

/** What can be seen of an answer: its text and the tools that were called on the way. */
export interface Evidence {
  readonly answer: string;
  readonly toolsCalled: readonly string[];
}

/** One thing an answer is asked for, understood. */
export interface Instruction {
  /** What it is about. Two of one slot contradict each other unless they say the same. */
  readonly slot: string;
  /** `Be brief` against `at most 80 words`: the exact one wins wherever it stands. */
  readonly vague?: boolean;
  /** The canonical wording: reading it gives this instruction again, so two with one sentence are the same. */
  readonly sentence: string;
  /** An instruction that breaks this one when it stands later. */
  readonly opposite: string;
  /** Slots of other instructions that this one works against. */
  readonly opposes?: readonly string[];
  /** Slots of other instructions that this one sees to as well. */
  readonly implies?: readonly string[];
  /** The bounds it sets to the length, in characters; a floor above a ceiling is a contradiction too. */
  readonly length?: { readonly least?: number; readonly most?: number };
  follow(plan: AnswerPlan): AnswerPlan;
  heldBy(evidence: Evidence): boolean;
}

/** What forbids the instruction; of two such the later one wins. */
export function contraryOf(one: Instruction, follow: Instruction['follow']): Instruction {
  const { slot, sentence, opposite } = one;
  return { slot, sentence: opposite, opposite: sentence, follow, heldBy: (evidence) => !one.heldBy(evidence) };
}

/** A kind of instruction: how it is said, read, followed and judged. */
export interface InstructionKind {
  readonly name: string;
  /** For the table of the documentation: what an answer does that follows it. */
  readonly followed: string;
  /** For the table of the documentation: what an answer does without it, or where it lapsed. */
  readonly otherwise: string;
  /** Ways to say it. Examples that the table shows and the tests read; the recogniser takes more. */
  readonly phrasings: readonly string[];
  read(statement: Statement): readonly Instruction[];
}

/**
 * What is left of instructions that contradict each other: an exact one beats a vague one wherever they stand; between
 * equals the later wins. The order of those that stay is kept.
 */
export function resolve(instructions: readonly Instruction[]): readonly Instruction[] {
  let kept: readonly Instruction[] = [];
  for (const next of instructions) {
    const rivals = kept.filter((other) => contradicts(other, next));
    if (rivals.some((rival) => next.vague === true && rival.vague !== true)) continue;
    kept = [...kept.filter((other) => !rivals.includes(other) && !isSame(other, next)), next];
  }
  return kept;
}

/** The same slot with another sense, one that works against the other, a slot that holds the other (`tool` holds `tool search`), or a floor above a ceiling. */
export function contradicts(one: Instruction, other: Instruction): boolean {
  if (one.slot === other.slot) return !isSame(one, other);
  if (one.slot.startsWith(`${other.slot} `) || other.slot.startsWith(`${one.slot} `)) return true;
  if (one.opposes?.includes(other.slot) === true || other.opposes?.includes(one.slot) === true) return true;
  return isAbove(one, other) || isAbove(other, one);
}

export function isSame(one: Instruction, other: Instruction): boolean {
  return one.slot === other.slot && one.sentence === other.sentence;
}

/** Whether the floor of one is above the ceiling of the other. */
function isAbove(low: Instruction, high: Instruction): boolean {
  return (low.length?.least ?? 0) > (high.length?.most ?? Infinity);
}
