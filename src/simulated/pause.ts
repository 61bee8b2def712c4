import { setTimeout as wait } from 'node:timers/promises';

/** Waits, or throws the signal's own reason as soon as it is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
