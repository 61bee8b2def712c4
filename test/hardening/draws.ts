import { generator } from '../unit/redaction/secretCorpus.js';

/** Draws so many characters of an alphabet: `a` small letters, `A` capitals, `1` digits, `h` hexadecimal, `w` all three. */
type Draw = (alphabet: keyof typeof alphabets, length: number) => string;

/** Without the letters and digits that look alike. */
const alphabets = {
  a: 'abcdefghjkmnpqrstuvwxyz',
  A: 'ABCDEFGHJKLMNPQRSTUVWXYZ',
  '1': '23456789',
  h: '0123456789abcdef',
  w: 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789',
} as const;

/** The same characters for the same seed, for ever. */
export function draws(seed: number): Draw {
  const next = generator(seed);
  return (alphabet, length) => {
    const characters = alphabets[alphabet];
    return Array.from({ length }, () => characters[Math.floor(next() * characters.length)] ?? '').join('');
  };
}
