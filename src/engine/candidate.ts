import { canonicalJson, sha256 } from '../hash.js';
import type { ApplyReportRow } from '../skill/edits/edit.js';
import type { SkillSize } from '../skill/document/skillDocument.js';
import type { PackageFiles } from '../skill/package/packageFile.js';
import type { PatchEdit } from './patch.js';

/** A text of the skill that a run works with, and the edits that led to it from the original. */
export interface Candidate {
  readonly text: string;
  /** Of the text; of the changed files too, where there are some. */
  readonly hash: string;
  /** In the order applied; applying all of them to the original gives the text. */
  readonly edits: readonly PatchEdit[];
  /** The size of the original, from which growth is counted; its own where it is missing. */
  readonly grownFrom?: SkillSize;
  /** The documents beside SKILL.md; missing where edits may change none. */
  readonly files?: CandidateFiles;
}

/** The documents beside SKILL.md that edits may change, by their names. */
export interface CandidateFiles {
  /** As they were when the run began. */
  readonly before: PackageFiles;
  /** What edits made of those that they changed. */
  readonly changed: PackageFiles;
}

export function originalCandidate(text: string, files?: PackageFiles): Candidate {
  const beside = files === undefined ? {} : { files: { before: files, changed: {} } };
  return { text, hash: sha256(text), edits: [], ...beside };
}

/** A candidate as it is kept: the text of the skill, and where edits changed more than that, all of it under its hash. */
export function storedText({ skill, files }: Omit<TargetInput, 'memory'>): string {
  return files === undefined || Object.keys(files).length === 0 ? skill : canonicalJson({ skill, files });
}

/** The text of the skill in what {@link storedText} made. */
export function skillIn(stored: string): string {
  if (!stored.startsWith('{"files":{')) return stored;
  try {
    const read: unknown = JSON.parse(stored);
    const isPackage = typeof read === 'object' && read !== null && 'skill' in read && typeof read.skill === 'string';
    return isPackage ? String(read.skill) : stored;
  } catch {
    return stored; // a skill that only begins like one
  }
}

/** The texts of a candidate as the target is given them. */
export function textsOf({ text, files }: Pick<Candidate, 'text' | 'files'>): Omit<TargetInput, 'memory'> {
  const changed = files?.changed ?? {};
  return { skill: text, ...(Object.keys(changed).length === 0 ? {} : { files: changed }) };
}

/** The documents beside SKILL.md as they are in a candidate. */
export function filesIn({ files }: Pick<Candidate, 'files'>): PackageFiles {
  return { ...files?.before, ...files?.changed };
}

/** How long all of a candidate's documents are together, in characters. */
export function lengthOf(candidate: Candidate): number {
  return Object.values(filesIn(candidate)).reduce((sum, { length }) => sum + length, candidate.text.length);
}

/** What a target is given to read under a candidate. */
export interface TargetInput {
  readonly skill: string;
  readonly memory: string | undefined;
  /** Files of the package that are not as the run found them; missing where all are. */
  readonly files?: PackageFiles;
}

/** The texts of two sides of a comparison. */
export interface TextPair {
  readonly before: TargetInput;
  readonly after: TargetInput;
}

/** Which of the two texts a candidate is; the other one stays as it is. */
export type DocumentSlot = (candidate: Pick<Candidate, 'text' | 'hash' | 'files'>) => TargetInput;

export function asSkill(memory: string | undefined): DocumentSlot {
  return (candidate) => ({ ...textsOf(candidate), memory });
}

export function asMemory(skill: Omit<TargetInput, 'memory'>): DocumentSlot {
  return ({ text }) => ({ ...skill, memory: text });
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
