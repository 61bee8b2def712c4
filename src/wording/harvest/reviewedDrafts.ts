import { minimumHeldOutTasks } from '../../gate/statistics/certification.js';
import type { Say } from '../translate.js';

/** How drafts and tasks stand once a person has looked at some of them. */
export interface ReviewedDrafts {
  readonly confirmed: number;
  /** Drafts that are drafts still. */
  readonly waiting: number;
  /** Those of them that are never confirmed with others: what carries instructions, or is doubtful. */
  readonly singly: number;
  /** Tasks that count now. */
  readonly counted: number;
}

const neededTasks = 2 + minimumHeldOutTasks; // two to learn from

/** Whether a run can learn something and show it. */
export function isEnough({ counted }: Pick<ReviewedDrafts, 'counted'>): boolean {
  return counted >= neededTasks;
}

/** What came of looking at drafts: how many count now, how many still wait, and what is missing to a run. */
export function reviewedSentences(reviewed: ReviewedDrafts, say: Say): readonly string[] {
  const { waiting, singly, counted } = reviewed;
  return [
    confirmedSentence(reviewed, say),
    ...(waiting === 0 ? [] : [waiting === 1 ? say('1 draft still waits.') : say('{0} drafts still wait.', waiting)]),
    ...(singly === 0 ? [] : [say('To look at first, one by one: {0}.', singly)]),
    ...(isEnough(reviewed)
      ? []
      : [
          say(
            'Tasks that count: {0}. {1} are needed at least: two to learn from and {2} to prove it on.',
            counted,
            neededTasks,
            minimumHeldOutTasks,
          ),
        ]),
  ];
}

function confirmedSentence({ confirmed }: ReviewedDrafts, say: Say): string {
  if (confirmed === 0) return say('No draft was confirmed.');
  return confirmed === 1 ? say('1 task is confirmed.') : say('{0} tasks are confirmed.', confirmed);
}

/** What a run would not use, though it is there; none where nothing waits. */
export function waitingLines(drafts: number, say: Say): readonly string[] {
  if (drafts === 0) return [];
  return drafts === 1
    ? [say('1 draft waits to be confirmed and is not used: “Review Drafts” shows it.')]
    : [say('{0} drafts wait to be confirmed and are not used: “Review Drafts” shows them.', drafts)];
}
