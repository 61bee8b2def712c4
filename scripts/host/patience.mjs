// How long a host may be silent. A hanging host must become a failure with a reason, not a hanging build.
import { setTimeout as pause } from 'node:timers/promises';

const startLimitMs = 300_000; // a start takes 15 s on two busy cores, and minutes while the machine is lent to others
const silenceLimitMs = 300_000;

/** Resolves with a sentence once nothing has been heard for too long; `heardSoFar` grows with every word. */
export async function impatience(heardSoFar, signal) {
  let heard = heardSoFar();
  let since = Date.now();
  while (!signal.aborted) {
    await pause(250, undefined, { signal }).catch(() => {});
    const now = heardSoFar();
    const limit = now === 0 ? startLimitMs : silenceLimitMs;
    if (now !== heard) [heard, since] = [now, Date.now()];
    else if (Date.now() - since > limit) return `Nothing was heard from it for ${limit / 1000} s.`;
  }
  return '';
}
