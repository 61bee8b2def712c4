const lookMs = 50;
/** Where the person has yet to save, nobody is kept waiting for that. */
const patienceMs = 3_000;
/** What we save ends, or fails: on a busy machine it may take its time. */
const savingPatienceMs = 30_000;

/** What the editor has begun to save of a proposal, and what has no receipt yet: to undo it, that has to be there. */
export class AdoptionsUnderWay {
  readonly #open = new Map<string, number>();
  readonly #saving = new Map<string, number>();
  readonly #patienceMs: number;

  constructor(patience = patienceMs) {
    this.#patienceMs = patience;
  }

  begin(skillPath: string): void {
    count(this.#open, skillPath, 1);
  }

  end(skillPath: string): void {
    count(this.#open, skillPath, -1);
  }

  /** While this goes on, the skill's file is being written by us: an undo that came between would be written over. */
  async saving(skillPath: string, work: () => Promise<void>): Promise<void> {
    count(this.#saving, skillPath, 1);
    try {
      await work();
    } finally {
      count(this.#saving, skillPath, -1);
    }
  }

  /** Resolves when all of the skill's have their receipts, or nobody can say when they will. */
  async settled(skillPath: string): Promise<void> {
    await whileIn(this.#saving, skillPath, savingPatienceMs);
    await whileIn(this.#open, skillPath, this.#patienceMs);
  }
}

function count(counts: Map<string, number>, key: string, step: 1 | -1): void {
  const left = (counts.get(key) ?? 0) + step;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}

async function whileIn(counts: ReadonlyMap<string, number>, key: string, mostMs: number): Promise<void> {
  for (let waited = 0; counts.has(key) && waited < mostMs; waited += lookMs) await pause();
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, lookMs);
  });
}
