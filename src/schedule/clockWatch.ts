/**
 * Looks again and again, one look at a time: who asks for a look while one goes on gets another one after it. Between
 * looks it waits for as long as `waitMs` says then.
 */
export class ClockWatch {
  readonly #look: () => Promise<void>;
  readonly #waitMs: () => number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  #disposed = false;

  /** `look` tells its own errors; it never rejects. */
  constructor(look: () => Promise<void>, waitMs: () => number) {
    this.#look = look;
    this.#waitMs = waitMs;
  }

  /** Resolves after a look that began no earlier than this call. */
  async look(): Promise<void> {
    this.#again = true;
    this.#looking ??= this.#keepLooking();
    await this.#looking;
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
  }

  async #keepLooking(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#again && !this.#disposed) {
      this.#again = false;
      await this.#look();
    }
    this.#looking = undefined;
    if (!this.#disposed) this.#timer = setTimeout(() => void this.look(), this.#waitMs());
  }
}
