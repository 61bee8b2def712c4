import type { ScriptCounts } from '../scriptCounts.cjs';

/** What came of one job; the last but two are of jobs in a window, the last two of jobs in plain Node. */
export interface JobOutcome {
  readonly step: string;
  readonly name: string;
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly problems: readonly string[];
  /** What this system cannot run, and why. */
  readonly leftOut?: readonly string[];
  readonly scripts: Readonly<Record<string, ScriptCounts>>;
  readonly scriptCount?: number;
  readonly repeated?: readonly string[];
  readonly firstTry?: readonly string[];
  readonly failedTitles?: readonly string[];
  readonly repeatedTests?: readonly string[];
}

export function scriptsToRepeat(job: { readonly scripts: readonly string[] }, outcome: JobOutcome): readonly string[];
export function joinTries(first: JobOutcome, second: JobOutcome, repeated: readonly string[]): JobOutcome;
export function repeatable(outcome: Pick<JobOutcome, 'failedTitles'>): string | undefined;
export function joinPlainTries(first: JobOutcome, second: JobOutcome): JobOutcome;
export function judgeSecondTries(outcomes: readonly JobOutcome[]): {
  readonly lines: readonly string[];
  readonly title: string;
  readonly problem: string | undefined;
};
