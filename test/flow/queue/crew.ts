import type { Running } from './processes.js';

/** Workers that are started again when they are killed, each as the next one of its place. */
export class Crew {
  readonly #start: () => Promise<Running>;
  readonly #places: Promise<Running>[];
  kills = 0;

  constructor(count: number, start: () => Promise<Running>) {
    this.#start = start;
    this.#places = Array.from({ length: count }, start);
  }

  async ready(): Promise<void> {
    await Promise.all(this.#places);
  }

  async kill(place: number): Promise<void> {
    const worker = await this.#places[place % this.#places.length];
    await worker?.kill();
    this.kills += 1;
    this.#places[place % this.#places.length] = this.#start();
  }

  async dispose(): Promise<void> {
    for (const worker of await Promise.allSettled(this.#places))
      if (worker.status === 'fulfilled') await worker.value.kill();
  }
}
