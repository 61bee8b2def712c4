import { appendFileSync } from 'node:fs';
import { isFull } from '../builders/few.js';

/** Whether the whole numbers are asked for (`npm run test:hardening`); in `npm test` each suite makes a short part of them. */
export const isWhole = process.env['WHETSTONE_HARDENING'] === '1';

/** A test of the whole and of the full numbers alone: what it shows has a short case elsewhere. */
export function notInShort(title: string, test: (this: Mocha.Context) => unknown): void {
  if (isWhole || isFull) it(title, test);
}

/** What a suite draws from: that of `--seed`, or a fixed one in `npm test`. */
export const seed = Number(process.env['WHETSTONE_SEED'] ?? '1');

/** One line of the table that `npm run test:hardening` prints at its end. */
export interface Figure {
  /** What was attacked, and how. */
  readonly what: string;
  /** How many times. */
  readonly tried: number;
  /** What came of it, in a few words with their numbers. */
  readonly result: string;
}

/** Reports a figure; call it before what is asserted of it, so that a run that fails shows it too. */
export function figure({ what, tried, result }: Figure): void {
  const file = process.env['WHETSTONE_FIGURES'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ what, tried, result, seed })}\n`);
  if (isWhole) process.stdout.write(`      ${what}: ${tried} tried, ${result} (seed ${seed})\n`);
}
