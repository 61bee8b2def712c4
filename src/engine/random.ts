import { sha256 } from '../hash.js';

/** A stream of numbers in [0, 1) that depends on its name alone: the same name, the same stream, on every machine. */
export type Random = () => number;

/** Named streams keep decisions apart: what one part draws never shifts what another part gets. */
export function randomFor(...name: readonly (string | number)[]): Random {
  const digest = Buffer.from(sha256(name.join('\u0000')), 'hex');
  let a = digest.readUInt32LE(0);
  let b = digest.readUInt32LE(4);
  let c = digest.readUInt32LE(8);
  let counter = digest.readUInt32LE(12);
  return () => {
    const t = (((a + b) >>> 0) + counter) >>> 0;
    counter = (counter + 1) >>> 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) >>> 0;
    c = (((c << 21) | (c >>> 11)) + t) >>> 0;
    return t / 0x1_0000_0000;
  };
}

/** A new array in random order; the given one is left as it is. */
export function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const left = [...items];
  const result: T[] = [];
  while (left.length > 0) result.push(...left.splice(Math.floor(random() * left.length), 1));
  return result;
}
