import { setMaxListeners } from 'node:events';
import type { LanguageModel } from '../../ports/languageModel.js';

/** A call that waits for its stage. */
interface WaitingCall {
  readonly make: () => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * Counts the calls that are made before their stage begins. `most` of them are made at once; further ones wait for the
 * stage, and are never made where it does not come: what is asked in vain stays within `most`.
 */
export class CallsAhead {
  readonly #most: number;
  readonly #held = new Set<WaitingCall>();
  #made = 0;
  #state: 'ahead' | 'arrived' | 'dropped' = 'ahead';

  constructor(most: number) {
    this.#most = most;
  }

  over(model: LanguageModel): LanguageModel {
    return {
      identity: model.identity,
      complete: async (request, signal) => {
        await this.#turn(signal);
        return model.complete(request, signal);
      },
    };
  }

  /** The stage has begun. */
  arrive(): void {
    if (this.#state !== 'ahead') return;
    this.#state = 'arrived';
    for (const { make } of this.#held) make();
    this.#held.clear();
  }

  /** It never will. */
  drop(): void {
    if (this.#state === 'dropped') return;
    this.#state = 'dropped';
    for (const { refuse } of this.#held) refuse(notNeeded());
    this.#held.clear();
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#state === 'arrived') return;
    if (this.#state === 'dropped') throw notNeeded();
    this.#made += 1;
    if (this.#made <= this.#most) return;
    await this.#wait(signal);
    signal.throwIfAborted();
  }

  #wait(signal: AbortSignal): Promise<void> {
    setMaxListeners(0, signal); // every call that is held listens to the run's one signal, until it is made
    return new Promise((resolve, reject) => {
      const make = (): void => {
        signal.removeEventListener('abort', make);
        resolve();
      };
      const refuse = (reason: unknown): void => {
        signal.removeEventListener('abort', make);
        reject(reason);
      };
      this.#held.add({ make, refuse });
      signal.addEventListener('abort', make);
    });
  }
}

function notNeeded(): Error {
  return new Error('The stage that this was asked for never began.');
}
