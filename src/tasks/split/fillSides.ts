import type { Side } from '../task.js';

export const sides: readonly Side[] = ['training', 'heldOut', 'sealed'];

export type SideCounts = Readonly<Record<Side, number>>;

/** Tasks that go together, and how often each of their tags occurs among them. */
export interface Unit {
  readonly size: number;
  readonly tags: ReadonlyMap<string, number>;
}

/** Below these nothing can be learned, and nothing certified. */
export const floors = { training: 2, heldOut: 5 } as const;

const turns = { training: 8, heldOut: 8 } as const;
const sealedTurns = 4;
const shares: SideCounts = { training: 0.4, heldOut: 0.4, sealed: 0.2 };

/** How many tasks lie on each side, in all and of each tag, while they are being placed. */
export class SideTally {
  readonly #counts: Record<Side, number> = { training: 0, heldOut: 0, sealed: 0 };
  readonly #tags = new Map<string, Record<Side, number>>();

  get counts(): SideCounts {
    return { ...this.#counts };
  }

  add(unit: Unit, side: Side): void {
    this.#counts[side] += unit.size;
    for (const [tag, count] of unit.tags) {
      const counts = this.#tags.get(tag) ?? { training: 0, heldOut: 0, sealed: 0 };
      counts[side] += count;
      this.#tags.set(tag, counts);
    }
  }

  /** Floors first, then training and held-out in turn, then sealed, then whichever side is furthest below its share. */
  nextSide(unit: Unit): Side {
    const { training, heldOut, sealed } = this.#counts;
    if (training < floors.training) return 'training';
    if (heldOut < floors.heldOut) return 'heldOut';
    const trainingOpen = training < turns.training;
    const heldOutOpen = heldOut < turns.heldOut;
    if (trainingOpen && heldOutOpen) {
      return training - floors.training <= heldOut - floors.heldOut ? 'training' : 'heldOut';
    }
    if (trainingOpen) return 'training';
    if (heldOutOpen) return 'heldOut';
    return sealed < sealedTurns ? 'sealed' : this.#furthestBelow(unit);
  }

  /** Sides less than a whole task apart are equal; between equals the tags decide. */
  #furthestBelow(unit: Unit): Side {
    const total = Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
    const ranked = sides.map((side) => ({
      side,
      missing: shares[side] * (total + unit.size) - this.#counts[side],
      missingTags: this.#missingTags(unit, side),
    }));
    const most = Math.max(...ranked.map((one) => one.missing));
    const near = ranked.filter((one) => one.missing > most - 1);
    const [first] = near.sort((a, b) => b.missingTags - a.missingTags || b.missing - a.missing);
    return first?.side ?? 'training';
  }

  #missingTags(unit: Unit, side: Side): number {
    let missing = 0;
    for (const [tag, count] of unit.tags) {
      const counts = this.#tags.get(tag);
      const total = sides.reduce((sum, one) => sum + (counts?.[one] ?? 0), 0);
      missing += shares[side] * (total + count) - (counts?.[side] ?? 0);
    }
    return missing;
  }
}
