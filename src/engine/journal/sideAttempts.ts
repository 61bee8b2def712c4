import type { AttemptEvent } from './attemptEvent.js';
import { underOriginal } from './diagnostics.js';
import type { RunEvent, Stage } from './runEvents.js';
import type { SideAttempts } from './taskFigures.js';

/** The sealed tasks, each once under the skill as it was and once under the one that is proposed. */
export function sealedAttempts(events: readonly RunEvent[], baseHash: string): SideAttempts {
  return pairOf(attemptsIn(events), ['sealed'], baseHash);
}

/**
 * The held-out tasks as a verdict compares them: the attempts of the certification, or of the selection where there was
 * none. Without a proposal only those under the skill as it was.
 */
export function heldOutSides(
  events: readonly RunEvent[],
  baseHash: string,
  candidateHash: string | undefined,
): SideAttempts {
  const attempts = attemptsIn(events);
  const certified = pairOf(attempts, ['certify'], baseHash);
  const selected = pairOf(attempts, ['baseline', 'evaluate', 'slow-update'], baseHash, candidateHash);
  const before = certified.before.length > 0 ? certified.before : selected.before;
  if (candidateHash === undefined) return { before, after: [] };
  return { before, after: certified.after.length > 0 ? certified.after : selected.after };
}

function attemptsIn(events: readonly RunEvent[]): readonly AttemptEvent[] {
  return events.filter((event) => event.kind === 'attempt');
}

/** `after`: under the text of that hash, or the one that was tried last. */
function pairOf(
  all: readonly AttemptEvent[],
  stages: readonly Stage[],
  baseHash: string,
  candidateHash?: string,
): SideAttempts {
  const isBefore = underOriginal(all, baseHash);
  const attempts = all.filter(({ stage }) => stages.includes(stage));
  const others = attempts.filter((event) => !isBefore(event));
  const last = others.at(-1);
  const [skill, memory] = [candidateHash ?? last?.skillHash, last?.memoryHash];
  return {
    before: attempts.filter(isBefore),
    after: others.filter((event) => event.skillHash === skill && event.memoryHash === memory),
  };
}
