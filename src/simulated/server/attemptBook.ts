/**
 * Which sample of a question a request is, since nobody sends that: the first of its kind is attempt 1, the next one 2.
 * A request that got no whole answer gives its number back, so that a retry gets the answer that was lost.
 */
export class AttemptBook {
  readonly #taken = new Map<string, Set<number>>();

  claim(key: string): number {
    const taken = this.#taken.get(key) ?? new Set<number>();
    this.#taken.set(key, taken);
    let attempt = 1;
    while (taken.has(attempt)) attempt += 1;
    taken.add(attempt);
    return attempt;
  }

  release(key: string, attempt: number): void {
    this.#taken.get(key)?.delete(attempt);
  }
}
