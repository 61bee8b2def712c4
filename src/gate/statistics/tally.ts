import type { GateScore } from './scores.js';

/** One task in one pass: attempted once under each skill, at about the same time. */
export interface PairResult {
  readonly task: number;
  readonly before: GateScore;
  readonly after: GateScore;
}

/** The attempts of one side at one task. */
export interface SideTally {
  readonly valid: number;
  readonly invalid: number;
  /** Attempts with full marks. */
  readonly full: number;
  /** Sum of the grid scores over the valid attempts. */
  readonly sum: number;
  /** The first valid score, to notice whether any attempt ever differs from it. */
  readonly first: number | null;
  readonly varies: boolean;
}

/** One task over all passes. A pair counts only where both sides are valid. */
export interface TaskTally {
  readonly before: SideTally;
  readonly after: SideTally;
  readonly pairs: number;
  readonly pairedBefore: number;
  readonly pairedAfter: number;
  readonly wins: number;
  readonly losses: number;
}

const noAttempts: SideTally = { valid: 0, invalid: 0, full: 0, sum: 0, first: null, varies: false };

/** A task that was not attempted yet. */
export const emptyTally: TaskTally = {
  before: noAttempts,
  after: noAttempts,
  pairs: 0,
  pairedBefore: 0,
  pairedAfter: 0,
  wins: 0,
  losses: 0,
};

/** The tally with one more pass of that task; `fullMarks` is the highest score of the grid. */
export function addToTally(tally: TaskTally, pair: PairResult, fullMarks: number): TaskTally {
  const before = addAttempt(tally.before, pair.before, fullMarks);
  const after = addAttempt(tally.after, pair.after, fullMarks);
  if (pair.before === 'invalid' || pair.after === 'invalid') return { ...tally, before, after };
  return {
    before,
    after,
    pairs: tally.pairs + 1,
    pairedBefore: tally.pairedBefore + pair.before,
    pairedAfter: tally.pairedAfter + pair.after,
    wins: tally.wins + (pair.after > pair.before ? 1 : 0),
    losses: tally.losses + (pair.after < pair.before ? 1 : 0),
  };
}

/** The difference that the test sees: 0 for a tie and for a pair that was lost. */
export function differenceOf(pair: PairResult): number | undefined {
  return pair.before === 'invalid' || pair.after === 'invalid' ? undefined : pair.after - pair.before;
}

function addAttempt(side: SideTally, score: GateScore, fullMarks: number): SideTally {
  if (score === 'invalid') return { ...side, invalid: side.invalid + 1 };
  return {
    valid: side.valid + 1,
    invalid: side.invalid,
    full: side.full + (score === fullMarks ? 1 : 0),
    sum: side.sum + score,
    first: side.first ?? score,
    varies: side.varies || (side.first !== null && side.first !== score),
  };
}
