import type { Clock } from '../../ports/clock.js';
import type { OwnGeneration } from './lockFile.js';

/** Whose life is shown, how often, and how its loss is noticed. */
export interface Heartbeat {
  readonly clock: Clock;
  readonly everyMs: number;
  readonly own: Pick<OwnGeneration, 'beat'>;
  readonly isHeld: () => Promise<boolean>;
}

/**
 * Shows that the holder lives until it is stopped or the lock is lost. The returned function stops it and resolves
 * when no beat is under way any more: with true the first time, with false from then on.
 */
export function keepBeating(heartbeat: Heartbeat): () => Promise<boolean> {
  const stopped = new AbortController();
  const beating = beat(heartbeat, stopped.signal);
  return async () => {
    const first = !stopped.signal.aborted;
    stopped.abort();
    await beating;
    return first;
  };
}

async function beat({ clock, everyMs, own, isHeld }: Heartbeat, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    try {
      await clock.sleep(everyMs, stopped);
    } catch {
      return;
    }
    try {
      await own.beat(clock.now());
      if (!(await isHeld())) return;
    } catch {
      // A disk that hiccups is no reason to end the process; the next beat tries again.
    }
  }
}
