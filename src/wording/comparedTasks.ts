import type { GateFigures } from '../gate/verdict/verdict.js';
import { count } from './amounts.js';
import type { Say } from './translate.js';

// The strict rule ends as soon as no further score can change its answer. A verdict claims the tasks that were attempted
// and no others, so whoever names a number of tasks says it with these words.

type Tasks = Pick<GateFigures, 'n' | 'notNeeded' | 'unpaired'>;

/** The tasks that a verdict speaks of: `8 held-out tasks`, and where not all of them were attempted, how many were. */
export function comparedTasks(figures: Tasks, say: Say): string {
  if ((figures.notNeeded ?? 0) === 0) return pairedTasks(figures, say);
  return say('{0}; {1}', attemptedTasks(figures, say), otherTasks(figures, say));
}

/** A task whose attempts came to nothing on one side is no part of what went up or down. */
export function pairedTasks({ n, unpaired = 0 }: Tasks, say: Say): string {
  return unpaired === 0
    ? count(n, 'held-out task', say)
    : say('the {0} of {1} held-out tasks with a result', n - unpaired, n);
}

export function attemptedTasks({ n, notNeeded = 0 }: Tasks, say: Say): string {
  return say('the {0} of {1} held-out tasks that were attempted', n - notNeeded, n);
}

export function otherTasks({ notNeeded = 0 }: Tasks, say: Say): string {
  return notNeeded === 1 ? say('the other one was not needed') : say('the other {0} were not needed', notNeeded);
}
