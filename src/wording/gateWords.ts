import type { TaskComparison, Verdict } from '../gate/verdict/verdict.js';
import { percent, percents } from './amounts.js';
import type { Say } from './translate.js';

/** What the gate found, in a word or two. “Accepted” and “rejected” are what a person does with an edit. */
export function verdictWord(kind: Verdict['kind'], say: Say): string {
  return {
    accepted: say('improved'),
    rejected: say('no improvement found'),
    inconclusive: say('undecided'),
    unmeasured: say('not measured'),
  }[kind];
}

/** What a night did to a skill, in a word: what nothing proves is there to look at, not proposed for adoption. */
export function nightWord(outcome: string, verdict: Verdict['kind'] | undefined): string {
  return outcome === 'proposed' && verdict !== 'accepted' ? 'to review' : outcome;
}

/** What became of a candidate in a step of a run, by the name of the step's decision. */
export function stepWords(say: Say): Readonly<Record<string, string>> {
  return {
    accept_new_best: say('new best'),
    accept: say('better than the step before'),
    reject: say('no better'),
    keep_as_branch: say('equal, kept for now'),
    force_accept: say('taken, not measured'),
    skip_no_patches: say('nothing proposed'),
    skip_no_rewrite: say('no rewrite'),
    skip_no_change: say('nothing changed'),
  };
}

/** `58 % → 75 %`, or nothing where nothing was measured. */
export function scoresText(verdict: Verdict): string | undefined {
  const figures = 'figures' in verdict ? verdict.figures : undefined;
  return figures === undefined ? undefined : percents(figures);
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
