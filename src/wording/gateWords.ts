import type { TaskComparison, Verdict } from '../gate/verdict/verdict.js';
import { percent } from './amounts.js';
import type { Say } from './translate.js';

/** A verdict in a word or two. */
export function verdictWord(kind: Verdict['kind'], say: Say): string {
  return {
    accepted: say('accepted'),
    rejected: say('rejected'),
    inconclusive: say('inconclusive'),
    unmeasured: say('not measured'),
  }[kind];
}

/** "0.58 → 0.75", or nothing where nothing was measured. */
export function scoresText(verdict: Verdict): string | undefined {
  const figures = 'figures' in verdict ? verdict.figures : undefined;
  return figures === undefined ? undefined : `${figures.before.toFixed(2)} → ${figures.after.toFixed(2)}`;
}

/** What became of a held-out task; `unknown` where one side has no score. */
export type Change = 'worse' | 'better' | 'same' | 'unknown';

export function changeOf({ before, after }: TaskComparison): Change {
  if (before.score === undefined || after.score === undefined) return 'unknown';
  if (after.score < before.score) return 'worse';
  return after.score > before.score ? 'better' : 'same';
}

/** The same in words: a task that now always passes is fixed, one that never changed may still fail. */
export function changeWord(task: TaskComparison, say: Say): string {
  const { before, after } = task;
  const passes = after.passes === after.valid;
  switch (changeOf(task)) {
    case 'worse':
      return say('worse');
    case 'better':
      return passes ? say('fixed') : say('better');
    case 'same':
      return passes ? say('passes') : say('still fails');
    case 'unknown':
      return before.invalid + after.invalid > 0 ? say('no valid result') : say('not needed for the decision');
  }
}

/** A side of a held-out task: passes of attempts, or its score where only that changed. */
export function sideTexts(
  task: TaskComparison,
  passed: (passes: number, valid: number) => string,
): readonly [string, string] {
  const { before, after } = task;
  const [old, current] = [before, after].map(({ passes, valid }) => (valid === 0 ? undefined : passes / valid));
  const isHidden = changeOf(task) !== 'same' && old !== undefined && old === current;
  if (isHidden && before.score !== undefined && after.score !== undefined)
    return [percent(before.score), percent(after.score)];
  return [passed(before.passes, before.valid), passed(after.passes, after.valid)];
}
