import PQueue from 'p-queue';

/** A run as a server's places know it. */
export interface Lane {
  /** The most calls that it has under way at once. */
  readonly most: () => number;
}

/** The places at each server, by its name: those of one process. */
export type Servers = Map<string, ServerPlaces>;

/**
 * The places at one server, which the runs of a process share. There are as many as the runs want, halved whenever the
 * server says "too many" and widened by one after every full round of answers. They are given in turns, run by run: the
 * tenth call of one run comes after the ninth of another, however many wait behind it. A run that comes later starts at the
 * turn that the others have reached. A wait that the server asks for holds all of them. Runs of other processes have places of
 * their own: as each halves when it is refused and widens by one, the wider one gives way until they are alike.
 */
export class ServerPlaces {
  readonly #queue: PQueue;
  /** The runs with calls that wait or are under way, and how many these are. */
  readonly #lanes = new Map<Lane, number>();
  readonly #turns = new WeakMap<Lane, number>();
  readonly #bears: number;
  #turn = 0;
  #narrowed: number | undefined;
  #answers = 0;
  #generation = 0;
  #closedUntil = 0;

  /** `bears`: the most calls at once that the server takes, whoever makes them. */
  constructor(bears = Infinity) {
    this.#bears = bears;
    this.#queue = new PQueue({ concurrency: bears });
  }

  /** How many calls may be under way now, of all runs together. */
  get width(): number {
    return this.#narrowed ?? this.#bears;
  }

  /** Taken along by a call from its start, and handed back with its refusal. */
  get generation(): number {
    return this.#generation;
  }

  /** Until when the server asked everybody to wait. */
  get closedUntil(): number {
    return this.#closedUntil;
  }

  /** Does the work when it is the turn of the lane. Rejects with the signal's reason, without doing it, if aborted before. */
  async run<T>(lane: Lane, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const turn = Math.max(this.#turns.get(lane) ?? 0, this.#turn) + 1;
    this.#turns.set(lane, turn);
    this.#lanes.set(lane, (this.#lanes.get(lane) ?? 0) + 1);
    const begin = (): Promise<T> => {
      this.#turn = Math.max(this.#turn, turn);
      return work();
    };
    try {
      return await this.#queue.add(begin, { priority: -turn, signal });
    } finally {
      this.#leave(lane);
    }
  }

  /** An answer came: widens by one after every full round of them, up to what the runs want. */
  answered(): void {
    if (this.#narrowed === undefined) return;
    this.#answers += 1;
    if (this.#answers < this.#narrowed) return;
    this.#narrow(this.#narrowed + 1 < this.#wanted() ? this.#narrowed + 1 : undefined);
  }

  /** "Too many": halves. Calls that were under way at the last halving say nothing about the width after it. */
  refused(startedIn: number): void {
    if (startedIn !== this.#generation) return;
    this.#generation += 1;
    this.#narrow(Math.max(1, Math.floor(Math.min(this.width, this.#wanted()) / 2)));
  }

  /** The server asks to wait. */
  closeUntil(time: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, time);
  }

  #narrow(width: number | undefined): void {
    this.#narrowed = width;
    this.#answers = 0;
    this.#queue.concurrency = this.width;
  }

  #wanted(): number {
    const sum = [...this.#lanes.keys()].reduce((all, { most }) => all + most(), 0);
    return Math.min(sum, this.#bears);
  }

  #leave(lane: Lane): void {
    const left = (this.#lanes.get(lane) ?? 1) - 1;
    if (left > 0) this.#lanes.set(lane, left);
    else this.#lanes.delete(lane);
  }
}
