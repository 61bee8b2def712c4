import type { GateFigures } from '../gate/verdict/verdict.js';
import { count } from './amounts.js';
import type { Say } from './translate.js';

// The strict rule ends as soon as no further score can change its answer. A verdict claims the tasks that were attempted
// and no others, so whoever names a number of tasks says it with these words.

type Tasks = Pick<GateFigures, 'n' | 'notNeeded'>;

/** The tasks that a verdict speaks of: `8 held-out tasks`, and where not all of them were attempted, how many were. */
export function comparedTasks(figures: Tasks, say: Say): string {
  if ((figures.notNeeded ?? 0) === 0) return count(figures.n, 'held-out task', say);
  return say('{0}; {1}', attemptedTasks(figures, say), otherTasks(figures, say));
}

export function attemptedTasks({ n, notNeeded = 0 }: Tasks, say: Say): string {
  return say('the {0} of {1} held-out tasks that were attempted', n - notNeeded, n);
}

export function otherTasks({ notNeeded = 0 }: Tasks, say: Say): string {
  return notNeeded === 1 ? say('the other one was not needed') : say('the other {0} were not needed', notNeeded);
}
