import * as z from 'zod';
import { parseJson } from '../../parseJson.js';

const cap = z.object({
  calls: z.number().optional(),
  tokens: z.number().optional(),
  usd: z.number().optional(),
  minutes: z.number().optional(),
});

/** When it was written, in milliseconds since 1970; lines of earlier versions do not say. */
const at = z.number().optional();

/** How long the machine had been running, since which start, and what its clock showed where that is not `at`. */
const stamp = {
  up: z.number().optional(),
  boot: z.string().optional(),
  clock: z.number().optional(),
};

/** What tells a clock that was moved from time that has passed. */
export interface Stamp {
  readonly up?: number;
  readonly boot?: string;
  readonly clock?: number;
}

const reserveLine = z.object({
  kind: z.literal('reserve'),
  id: z.string(),
  run: z.string(),
  /** Local calendar day of whoever wrote it; the month is the file. */
  day: z.string(),
  role: z.string(),
  model: z.string(),
  tokens: z.number().nonnegative(),
  usd: z.number().nonnegative().optional(),
  at,
  ...stamp,
  caps: z.object({ run: cap, day: cap, month: cap }),
});

const spendLine = z.discriminatedUnion('kind', [
  reserveLine,
  z.object({
    kind: z.literal('settle'),
    id: z.string(),
    tokens: z.number().nonnegative(),
    usd: z.number().nonnegative().optional(),
    exact: z.boolean(),
    at,
  }),
  z.object({ kind: z.literal('release'), id: z.string(), at }),
]);

/** One line of the ledger. A reservation carries the caps it was made under, so that every reader decides it alike. */
export type SpendLine = z.output<typeof spendLine>;
/** The only kind of line that can be refused. */
export type ReserveLine = z.output<typeof reserveLine>;

/** One line with its end, written by one system call together with others. */
export function printSpendLine(line: SpendLine): string {
  return `${JSON.stringify(line)}\n`;
}

/**
 * The line, or undefined for what is none. To leave a broken one out is safe: nobody was promised anything on a
 * reservation that is not whole on disk, and a settlement that is lost leaves the worst case standing.
 */
export function parseSpendLine(text: string): SpendLine | undefined {
  return text === '' ? undefined : spendLine.safeParse(parseJson(text)).data;
}
