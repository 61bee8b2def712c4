import type { Redis } from 'ioredis';
import { FailedCall } from '../models/wrappers/failedCall.js';
import { another } from './redis.js';

interface PulseParts {
  readonly redis: Redis;
  readonly settings: { readonly patienceMs: number };
  /** The address as it may be shown. */
  readonly shown: string;
}

/**
 * Whether Redis still answers. A command waits for a connection that comes back, for ever if need be: here such a wait
 * ends once Redis has been silent for longer than anybody is to wait. It is asked over a connection of its own too, which
 * no large folder on its way holds up. Time that the machine slept is no silence.
 */
export class RedisPulse {
  readonly #parts: PulseParts;
  readonly #own: Redis;
  readonly #timer: NodeJS.Timeout;
  readonly #waiting = new Set<() => void>();
  /** Those of the two connections that have not answered yet. */
  readonly #asked = new Set<Redis>();
  #isHeard = true;
  #silentMs = 0;

  constructor(parts: PulseParts) {
    this.#parts = parts;
    this.#own = another(parts.redis);
    const beatMs = Math.min(1_000, Math.max(250, parts.settings.patienceMs / 4));
    this.#timer = setInterval(() => this.#beat(beatMs), beatMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#own.disconnect();
  }

  /** What the work comes to; throws where Redis is silent for too long before. `asked`: whether a call may have been made. */
  async within<T>(work: Promise<T>, asked: 'not-sent' | 'in-doubt'): Promise<T> {
    let giveUp = nothing;
    const silence = new Promise<never>((_, reject) => {
      giveUp = () => reject(queueGone(this.#parts.shown, asked));
    });
    this.#waiting.add(giveUp);
    try {
      return await Promise.race([work, silence]);
    } finally {
      this.#waiting.delete(giveUp);
    }
  }

  #beat(beatMs: number): void {
    this.#silentMs = this.#isHeard ? 0 : this.#silentMs + beatMs;
    if (this.#silentMs > this.#parts.settings.patienceMs) for (const giveUp of this.#waiting) giveUp();
    this.#isHeard = false;
    for (const redis of [this.#own, this.#parts.redis]) if (!this.#asked.has(redis)) this.#ask(redis);
  }

  #ask(redis: Redis): void {
    this.#asked.add(redis);
    const heard = (): void => {
      this.#isHeard = true;
    };
    redis
      .ping()
      .then(heard, () => undefined) // an error is no answer
      .finally(() => this.#asked.delete(redis));
  }
}

const nothing = (): void => undefined;

export function queueGone(shown: string, asked: 'not-sent' | 'in-doubt'): FailedCall {
  const cure = 'See that Redis runs there, then resume the run: what was answered is kept and not paid again.';
  const isSent = asked === 'in-doubt';
  return new FailedCall('endpoint', `The queue at ${shown} is gone.`, { cure, charged: isSent, sent: isSent });
}
