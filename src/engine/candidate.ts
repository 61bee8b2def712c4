import { sha256 } from '../hash.js';
import type { ApplyReportRow } from '../skill/edits/edit.js';
import type { SkillSize } from '../skill/document/skillDocument.js';
import type { PatchEdit } from './patch.js';

/** A text of the skill that a run works with, and the edits that led to it from the original. */
export interface Candidate {
  readonly text: string;
  readonly hash: string;
  /** In the order applied; applying all of them to the original gives the text. */
  readonly edits: readonly PatchEdit[];
  /** The size of the original, from which growth is counted; its own where it is missing. */
  readonly grownFrom?: SkillSize;
}

export function originalCandidate(text: string): Candidate {
  return { text, hash: sha256(text), edits: [] };
}

/** What a target is given to read under a candidate. */
export interface TargetInput {
  readonly skill: string;
  readonly memory: string | undefined;
}

/** The texts of two sides of a comparison. */
export interface TextPair {
  readonly before: TargetInput;
  readonly after: TargetInput;
}

/** Which of the two texts a candidate is; the other one stays as it is. */
export type DocumentSlot = (candidate: Pick<Candidate, 'text' | 'hash'>) => TargetInput;

export function asSkill(memory: string | undefined): DocumentSlot {
  return ({ text }) => ({ skill: text, memory });
}

export function asMemory(skill: string): DocumentSlot {
  return ({ text }) => ({ skill, memory: text });
}

/** What became of the edits of one step. */
export interface Update {
  readonly candidate: Candidate;
  readonly report: readonly ApplyReportRow[];
  /** What the rewrite that the edits come from says it changed; undefined where there was none. */
  readonly changes?: readonly string[] | undefined;
  /** Why a rewrite that was wanted gave no edits. */
  readonly noRewrite?: string | undefined;
}
