import { sha256 } from '../hash.js';

/** Chance without a clock or a state: the same parts and the same label always fall the same way. */
export interface Chance {
  /** A number in [0, 1). */
  fraction(label: string): number;
  pick<Option>(label: string, options: readonly Option[]): Option;
  /** The options in an order of its own. */
  shuffle<Option>(label: string, options: readonly Option[]): readonly Option[];
  /** `length` hexadecimal digits, at most 64. */
  digits(label: string, length: number): string;
}

const ranksPerHash = 10; // of three bytes each, out of the 32 that a hash has

/** Keyed by content, so that neither the order of arrival nor concurrency can change a draw. */
export function chanceOf(key: string): Chance {
  const hash = (label: string): Buffer => Buffer.from(sha256(`${key}\0${label}`), 'hex');
  const fraction = (label: string): number => hash(label).readUIntBE(0, 6) / 2 ** 48;
  return {
    fraction,
    pick(label, options) {
      const picked = options[Math.floor(fraction(label) * options.length)];
      if (picked === undefined) throw new RangeError(`Nothing to pick from for ${label}.`);
      return picked;
    },
    shuffle(label, options) {
      const ranks = Array.from({ length: Math.ceil(options.length / ranksPerHash) }, (_, at) => hash(`${label} ${at}`));
      const rankOf = (index: number): number =>
        ranks[Math.floor(index / ranksPerHash)]?.readUIntBE(3 * (index % ranksPerHash), 3) ?? 0;
      return options
        .map((option, index) => ({ option, rank: rankOf(index) }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ option }) => option);
    },
    digits: (label, length) => hash(label).toString('hex').slice(0, length),
  };
}

/** One key for any list of values that JSON can write. */
export function keyOf(...parts: readonly unknown[]): string {
  return sha256(JSON.stringify(parts));
}
