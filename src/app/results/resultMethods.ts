import type { CheckedSkill } from './checkRecord.js';
import type { ReportData } from './reportData.js';
import type { AnswerChecks } from './answerChecks.js';
import type { RunObserver, RunRequest, SkillOverview, SkillRequest } from '../useCases.js';

/** What changed on disk. */
export interface Changes {
  /** Proposals, decisions or runs: of whichever skill. */
  readonly anySkill: boolean;
  /** The paths of those whose own files changed: the skill or its tasks. */
  readonly skills: readonly string[];
}

/** What is shown of results, and what a team shares of them. */
export interface ResultMethods {
  /**
   * Looks at many skills together: what they share, such as the list of runs, is read once. Ask for a new one whenever
   * something may have changed.
   */
  readMany(): (request: SkillRequest) => Promise<SkillOverview>;
  /**
   * What changed on disk of the skills that were looked at, since this was last asked or since they were looked at: by
   * another window, by the command line, or here.
   */
  pollChanges(): Promise<Changes>;
  /** The text of the skill, or of its memory file, before or after one of our changes; undefined where it is no longer stored. */
  versionText(
    request: SkillRequest & { readonly version: string; readonly side: 'before' | 'after' },
  ): Promise<string | undefined>;
  /** The document that one of our changes was made in, as it is on disk. */
  textNow(request: SkillRequest & { readonly version: string }): Promise<string>;
  /** The text before the adoption that left the skill as it is on disk, unmeasured; undefined where none did. */
  unmeasuredBase(request: SkillRequest): Promise<string | undefined>;
  /** What the rules among a task's checks say of a stored answer. Asks no model and runs no program. */
  answerChecks(
    request: SkillRequest & { readonly taskId: string; readonly answerHash: string },
    signal: AbortSignal,
  ): Promise<AnswerChecks | undefined>;
  /** Everything that the training report draws, without answers and prompts; undefined where nothing was run yet. */
  reportData(request: SkillRequest & { readonly run?: string | undefined }): Promise<ReportData | undefined>;
  /** Scores the skill and compares with `evals/record.json`; with `update` it writes the record instead. */
  checkRecord(
    request: RunRequest & {
      readonly update: boolean;
      /** By how much (0..1) the score may lie below the record. */
      readonly allow: number;
    },
    observe: RunObserver,
    signal: AbortSignal,
  ): Promise<CheckedSkill>;
  /** Deletes all that is kept about a skill; the skill and its tasks stay. */
  cleanData(request: SkillRequest, signal: AbortSignal): Promise<{ readonly runs: number }>;
}
