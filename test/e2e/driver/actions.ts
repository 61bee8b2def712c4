/**
 * What a person does on a way through the window, counted: a command, a pick, a button, the Enter that ends a text. Typing
 * is none. The one after the last that is allowed fails.
 */
export class Actions {
  readonly #most: number;
  readonly #taken: string[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts the action, then takes it. */
  async take(name: string, act: () => Promise<void>): Promise<void> {
    this.#taken.push(name);
    if (this.#taken.length > this.#most) {
      throw new Error(`“${name}” is one action more than ${this.#most}: ${this.#taken.join(', ')}.`);
    }
    await act();
  }

  /** Their names, in order. */
  get taken(): readonly string[] {
    return this.#taken;
  }
}
