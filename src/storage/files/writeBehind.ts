/** Long enough for a batch of answers to be dealt with, and short beside the next ones. */
const quietMs = 20;

/**
 * Work that nobody waits for: it begins once what is under way has been dealt with, so that it does not stand in the
 * way of those who do wait. Each piece looks after its own failures.
 */
export class WriteBehind {
  #waiting: (() => Promise<void>)[] = [];
  #working: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  add(work: () => Promise<void>): void {
    this.#waiting.push(work);
    this.#timer ??= setTimeout(() => this.#begin(), quietMs);
  }

  /** Begins at once with what still waits, and resolves when all of it is done. */
  async settled(): Promise<void> {
    do {
      this.#begin();
      await this.#working;
    } while (this.#waiting.length > 0);
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = this.#waiting;
    this.#waiting = [];
    this.#working = Promise.all([this.#working, ...now.map((work) => work())]);
  }
}
