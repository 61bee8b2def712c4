const lookMs = 50;
/** As long as an editor may take to save. Where the person has yet to save, nobody is kept waiting for that. */
const patienceMs = 3_000;

/** What the editor has begun to save of a proposal, and what has no receipt yet: to undo it, that has to be there. */
export class AdoptionsUnderWay {
  readonly #open = new Map<string, number>();

  begin(skillPath: string): void {
    this.#open.set(skillPath, (this.#open.get(skillPath) ?? 0) + 1);
  }

  end(skillPath: string): void {
    const left = (this.#open.get(skillPath) ?? 0) - 1;
    if (left > 0) this.#open.set(skillPath, left);
    else this.#open.delete(skillPath);
  }

  /** Resolves when all of the skill's have their receipts, or nobody can say when they will. */
  async settled(skillPath: string): Promise<void> {
    for (let waited = 0; this.#open.has(skillPath) && waited < patienceMs; waited += lookMs) await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, lookMs);
  });
}
