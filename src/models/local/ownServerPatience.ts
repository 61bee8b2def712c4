import type { PatienceLimits } from '../patience.js';

/** What the calls of this process that are at each server take there. They wait in the order in which they came. */
export class ServerQueues {
  readonly #here = new Map<string, Set<OwnServerWait>>();

  /** A call comes to the server; gives how long it may be waited for behind those that are there, and how to leave. */
  enter(address: string, wait: OwnServerWait): { readonly limits: PatienceLimits; readonly leave: () => void } {
    const here = this.#here.get(address) ?? new Set();
    this.#here.set(address, here);
    const before = [...here].reduce((sum, { wholeMs }) => sum + wholeMs, 0);
    const call = { ...wait };
    here.add(call);
    return { limits: behind(before, wait.alone), leave: () => void here.delete(call) };
  }
}

/** A call to a server on a person's own machine. */
export interface OwnServerWait {
  /** How long it may be waited for where no other is there. */
  readonly alone: PatienceLimits;
  /** How long it may keep those that come after it waiting. */
  readonly wholeMs: number;
}

function behind(beforeMs: number, { firstByteMs, idleMs, totalMs }: PatienceLimits): PatienceLimits {
  return {
    firstByteMs: Math.min(firstByteMs + beforeMs, longestTimer),
    idleMs,
    totalMs: Math.min(totalMs + beforeMs, longestTimer),
  };
}

/** What a server on a person's own machine has to do until an answer is whole. */
interface Work {
  readonly promptTokens: number;
  readonly answerTokens: number;
  /** Whether the answer comes as it is written; else its first byte is its last. */
  readonly isStreamed: boolean;
}

/**
 * A server on a person's own machine may be very slow, and works on a few requests at a time: what we sent it before stands
 * in the way, and that is no silence. It is waited for as if it were the slowest that is of any use, for each call that is
 * there by what that call asks of it. Between two bytes of a running answer nothing changes: that is where a dead one shows.
 */
export function ownServerWait(usual: PatienceLimits, work: Work): OwnServerWait {
  const reading = work.promptTokens * slowestReadMs;
  const writing = work.answerTokens * slowestWriteMs;
  const wholeMs = usual.firstByteMs + reading + writing;
  const firstByteMs = usual.firstByteMs + reading + (work.isStreamed ? 0 : writing);
  return { alone: { firstByteMs, idleMs: usual.idleMs, totalMs: Math.max(usual.totalMs, wholeMs) }, wholeMs };
}

const slowestReadMs = 200; // a token of the prompt: five a second, on a small machine without a graphics card
const slowestWriteMs = 1_000; // a token of the answer
const longestTimer = 24 * 3_600_000;
