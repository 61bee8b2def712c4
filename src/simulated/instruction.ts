import type { AnswerPlan } from './target/plan.js';
import type { Statement } from './reading/statements.js';

/** What can be seen of an answer: its text and the tools that were called on the way. */
export interface Evidence {
  readonly answer: string;
  readonly toolsCalled: readonly string[];
}

/** One thing an answer is asked for, understood. */
export interface Instruction {
  readonly kind: string;
  /** What it is about. Two of one slot contradict each other unless they say the same. */
  readonly slot: string;
  /** `Be brief` against `at most 80 words`: the exact one wins wherever it stands. */
  readonly vague: boolean;
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

/** A kind of instruction: how it is said, read, followed and judged. One file a kind. */
export interface InstructionKind {
  readonly name: string;
  /** For the table of the documentation: what an answer does that was told. */
  readonly followed: string;
  /** For the table of the documentation: what an answer does that was not told, or lapsed. */
  readonly otherwise: string;
  /** Ways to say it. Examples that the table shows and the tests read; the recogniser takes more. */
  readonly phrasings: readonly string[];
  read(statement: Statement): readonly Instruction[];
}
