import type { RunEvent } from './runEvents.js';

type AttemptEvent = Extract<RunEvent, { kind: 'attempt' }>;

/**
 * Says of each attempt in turn to which step it belongs. A candidate that is tried on further tasks while a later step
 * looks for a better one belongs to the step in which it was first tried: otherwise two texts would share one score.
 */
export function candidateSteps(): (attempt: AttemptEvent) => number {
  const firstTried = new Map<string, number>();
  return ({ stage, step, skillHash, memoryHash = '' }) => {
    if (stage !== 'evaluate') return step;
    const text = `${skillHash} ${memoryHash}`;
    const first = firstTried.get(text) ?? step;
    firstTried.set(text, first);
    return first;
  };
}
