import type { Clock } from '../ports/clock.js';
import { refusalOf } from './redis.js';

interface RoomParts {
  readonly clock: Clock;
  /** Takes no more jobs, and lets those under way go on. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Told to whoever runs the worker, as whole sentences. */
  readonly tell: (line: string) => void;
}

/**
 * Whether Redis takes what a worker has to say. Where it does not, having no memory or disk left, the next call would be
 * paid for in vain: the worker takes no job until there is room, and keeps what its calls came to.
 */
export class ResultRoom {
  readonly #parts: RoomParts;
  #isFull = false;
  /** Results that are not stored yet. */
  #kept = 0;

  constructor(parts: RoomParts) {
    this.#parts = parts;
  }

  /** Writes a result as soon as Redis takes it. */
  async store(write: () => Promise<unknown>): Promise<void> {
    const { clock } = this.#parts;
    const until = clock.now() + keptMs;
    this.#kept += 1;
    try {
      while (!(await this.#isWritten(write, clock.now() > until)))
        await clock.sleep(againMs, new AbortController().signal);
    } finally {
      this.#kept -= 1;
    }
  }

  async #isWritten(write: () => Promise<unknown>, isLast: boolean): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      if (isLast || !this.refused(error)) throw error;
      return false;
    }
  }

  /** Told when something else was written: one that is small, which a large result need not follow. */
  taken(): void {
    if (!this.#isFull || this.#kept > 0) return;
    this.#isFull = false;
    this.#parts.resume();
    this.#parts.tell('Redis takes what is written again: this worker takes jobs.');
  }

  /** Whether that was Redis saying that it takes nothing. */
  refused(error: unknown): boolean {
    const why = refusalOf(error);
    if (why === undefined || this.#isFull) return why !== undefined;
    this.#isFull = true;
    this.#parts.pause();
    this.#parts.tell(
      `Redis takes nothing more (${why}). This worker takes no jobs until there is room, and keeps for ten minutes what its calls came to: give Redis more memory (maxmemory) or disk.`,
    );
    return true;
  }
}

const keptMs = 10 * 60_000;
const againMs = 1_000;
