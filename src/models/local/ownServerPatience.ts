import type { PatienceLimits } from '../patience.js';

/** How many calls of this process are at each server. They wait there in the order in which they came. */
export class ServerQueues {
  readonly #here = new Map<string, number>();

  /** A call comes to the server; gives how many are there with it, and how to leave. */
  enter(address: string): { readonly atOnce: number; readonly leave: () => void } {
    const atOnce = (this.#here.get(address) ?? 0) + 1;
    this.#here.set(address, atOnce);
    const leave = (): void => void this.#here.set(address, Math.max(0, (this.#here.get(address) ?? 0) - 1));
    return { atOnce, leave };
  }
}

/** What a server on a person's own machine has to do until an answer is whole. */
interface Waited {
  readonly promptTokens: number;
  readonly answerTokens: number;
  /** Calls of ours that are there with it. */
  readonly atOnce: number;
  /** Whether the answer comes as it is written; else its first byte is its last. */
  readonly isStreamed: boolean;
}

/**
 * A server on a person's own machine may be very slow, and works on a few requests at a time: what we sent it before stands
 * in the way, and that is no silence. It is waited for as if it were the slowest that is of any use, for each call that is
 * there. Between two bytes of a running answer nothing changes: that is where a dead one shows.
 */
export function ownServerLimits(usual: PatienceLimits, waited: Waited): PatienceLimits {
  const reading = waited.promptTokens * slowestReadMs;
  const writing = waited.answerTokens * slowestWriteMs;
  const before = usual.firstByteMs + reading + (waited.isStreamed ? 0 : writing);
  const whole = usual.firstByteMs + reading + writing;
  const others = (waited.atOnce - 1) * whole;
  return {
    firstByteMs: Math.min(before + others, longestTimer),
    idleMs: usual.idleMs,
    totalMs: Math.min(Math.max(usual.totalMs, whole) + others, longestTimer),
  };
}

const slowestReadMs = 200; // a token of the prompt: five a second, on a small machine without a graphics card
const slowestWriteMs = 1_000; // a token of the answer
const longestTimer = 24 * 3_600_000;
