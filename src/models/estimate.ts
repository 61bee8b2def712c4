import { moneyFor, type Price } from './prices.js';

/** A stretch of like calls before any of them is made. */
export interface PlannedCalls {
  readonly calls: { readonly low: number; readonly high: number };
  /** Tokens of one call, as far as they can be guessed. */
  readonly inputTokens: number;
  /** What one answer takes: a usual one, and its limit. */
  readonly outputTokens: { readonly low: number; readonly high: number };
  readonly price: Price | undefined;
}

/** What a plan may take. `usd` is undefined as soon as one part of it has no known price. */
export interface Estimate {
  readonly calls: Range;
  readonly tokens: Range;
  readonly usd: Range | undefined;
}

export interface Range {
  readonly low: number;
  readonly high: number;
}

/** Adds plans up, low ends with low ends. A guess before the fact: caps are held by the ledger, not by this. */
export function estimate(plans: readonly PlannedCalls[]): Estimate {
  const parts = plans.map(estimateOne);
  return {
    calls: sum(parts.map((part) => part.calls)),
    tokens: sum(parts.map((part) => part.tokens)),
    usd: sumKnown(parts.map((part) => part.usd)),
  };
}

function estimateOne({ calls, inputTokens, outputTokens, price }: PlannedCalls): Estimate {
  const money = (end: 'low' | 'high'): number =>
    calls[end] * (moneyFor({ inputTokens, outputTokens: outputTokens[end] }, price) ?? 0);
  return {
    calls,
    tokens: bothEnds((end) => calls[end] * (inputTokens + outputTokens[end])),
    usd: price === undefined ? undefined : bothEnds(money),
  };
}

function bothEnds(value: (end: 'low' | 'high') => number): Range {
  return { low: value('low'), high: value('high') };
}

function sum(ranges: readonly Range[]): Range {
  return {
    low: ranges.reduce((total, range) => total + range.low, 0),
    high: ranges.reduce((total, range) => total + range.high, 0),
  };
}

function sumKnown(ranges: readonly (Range | undefined)[]): Range | undefined {
  const known = ranges.filter((range) => range !== undefined);
  return known.length === ranges.length ? sum(known) : undefined;
}
