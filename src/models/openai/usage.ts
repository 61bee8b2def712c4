import type { SaidUsage } from '../bookedUsage.js';

export const nothingSaid: SaidUsage = { input: undefined, output: undefined, total: undefined, usd: undefined };

/** Reads `usage` whatever it is: numbers as text are taken, what is no count is as if it had not been said. */
export function readUsage(usage: unknown): SaidUsage {
  if (!(usage instanceof Object)) return nothingSaid;
  const said: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(usage));
  return {
    input: countIn(said['prompt_tokens']),
    output: countIn(said['completion_tokens']),
    total: countIn(said['total_tokens']),
    usd: moneyIn(said['cost']),
  };
}

/** All that a server says it charges. */
export function tokensSaid({ input = 0, output = 0, total = 0 }: SaidUsage): number {
  return Math.max(total, input + output);
}

/** The most of each: proxies stream zeros before, or after, the figures that count. */
export function mostSaid(before: SaidUsage, after: SaidUsage): SaidUsage {
  return {
    input: larger(before.input, after.input),
    output: larger(before.output, after.output),
    total: larger(before.total, after.total),
    usd: larger(before.usd, after.usd),
  };
}

function countIn(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof count !== 'number' || !(count >= 0 && count <= mostTokensOfACall)) return undefined;
  return Math.ceil(count);
}

function moneyIn(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 && value <= mostUsdOfACall ? value : undefined;
}

const mostUsdOfACall = 1_000; // more than the longest answer of the dearest model
const mostTokensOfACall = 100_000_000; // ten times the longest context that anybody sells

function larger(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.max(a, b);
}
