import { minimumHeldOutTasks } from '../gate/statistics/certification.js';
import { minimumStrictTasks } from '../gate/statistics/strictRule.js';
import { powerOf } from '../gate/statistics/power.js';
import { count } from './amounts.js';
import type { Say } from './translate.js';

/** The rule of a run, as its options name it. */
type RunRule = 'confident' | 'strict' | 'off';

/** What so many held-out tasks can show, in one sentence for the preflight, before anything is spent. */
export function powerSentence(n: number, say: Say, rule: RunRule = 'confident'): string {
  const tasks = count(n, 'held-out task', say);
  if (rule === 'strict' && n >= minimumStrictTasks && n < minimumHeldOutTasks)
    return say('With {0} the strict rule alone decides: one look, luck not excluded.', tasks);
  if (n < minimumHeldOutTasks)
    return say('With {0} no improvement can be shown; at least {1} are needed.', tasks, minimumHeldOutTasks);
  const { found20, found40 } = powerOf(n);
  return say(
    'With {0}, a gain of 40 points is detected {1}, a gain of 20 {2}.',
    tasks,
    howOften(found40, say),
    howOften(found20, say),
  );
}

/** Whether the rule of a run cannot accept anything on so few tasks; where the gate is off nothing is to be shown. */
export function showsNothing(n: number, rule: RunRule): boolean {
  return rule !== 'off' && n < (rule === 'strict' ? minimumStrictTasks : minimumHeldOutTasks);
}

/** Rounded down, so that no sentence promises more than was measured. */
function howOften(share: number, say: Say): string {
  if (share >= 0.99) return say('almost always');
  if (share >= 0.95) return say('nearly always');
  if (share >= 0.6) return say('in {0} of 10 runs', Math.floor(share * 10));
  if (share >= 0.45) return say('in about half of the runs');
  return share >= 0.2 ? say('in less than half of the runs') : say('in less than one run in five');
}
