import type { Spend, SpendCap } from '../../ports/spend.js';
import type { ReserveLine, SpendLine } from './spendLine.js';

/** Which limit a reservation would pass. */
export interface PassedCap {
  readonly period: 'run' | 'day' | 'month';
  readonly unit: 'calls' | 'tokens' | 'usd' | 'minutes';
  readonly limit: number;
}

const moneyGrain = 1e-9; // below any price: sums of decimal fractions are equal within it

/**
 * What a ledger's lines add up to. Whether a reservation holds depends on the lines before it alone, so all processes
 * that read the same file agree on every one of them, without a lock.
 */
export class SpendTotals {
  readonly #totals = new Map<string, Total>();
  readonly #open = new Map<string, ReserveLine>();
  /** When each run was last seen at work. */
  readonly #seen = new Map<string, number>();

  /** Counts the line; gives the cap that refuses it, in which case it counts for nothing. */
  add(line: SpendLine): PassedCap | undefined {
    this.#pass(line.kind === 'reserve' ? line : this.#open.get(line.id), line.at);
    switch (line.kind) {
      case 'reserve':
        return this.#reserve(line);
      case 'settle':
        this.#replace(line.id, line);
        return undefined;
      case 'release':
        this.#replace(line.id, undefined);
        return undefined;
    }
  }

  spent(period: { readonly run: string } | { readonly day: string } | 'month'): Spend {
    const total = this.#totals.get(keyOf(period)) ?? nothing;
    const priced = total.calls === 0 || total.priced > 0;
    return {
      calls: total.calls,
      tokens: total.tokens,
      usd: priced ? Math.max(0, Math.round(total.usd / moneyGrain) * moneyGrain) : undefined,
      exact: total.estimated === 0 && (total.priced === 0 || total.priced === total.calls),
    };
  }

  #reserve(line: ReserveLine): PassedCap | undefined {
    const passed =
      passedCap('run', line.caps.run, this.#total({ run: line.run }), line) ??
      passedCap('day', line.caps.day, this.#total({ day: line.day }), line) ??
      passedCap('month', line.caps.month, this.#total('month'), line);
    if (passed !== undefined || this.#open.has(line.id)) return passed;
    this.#open.set(line.id, line);
    this.#count(line, { calls: 1, tokens: line.tokens, usd: line.usd, estimated: 1 }, 1);
    return undefined;
  }

  /** Until it is settled a reservation counts as spent in full, whatever became of the process that made it. */
  #replace(id: string, actual: Extract<SpendLine, { kind: 'settle' }> | undefined): void {
    const line = this.#open.get(id);
    if (line === undefined) return;
    this.#open.delete(id);
    this.#count(line, { calls: 1, tokens: line.tokens, usd: line.usd, estimated: 1 }, -1);
    if (actual === undefined) return;
    this.#count(line, { calls: 1, tokens: actual.tokens, usd: actual.usd, estimated: actual.exact ? 0 : 1 }, 1);
  }

  /** Counts the time since the run was last seen; a longer pause than any call takes was no work. */
  #pass(line: ReserveLine | undefined, at: number | undefined): void {
    if (line === undefined || at === undefined) return;
    const since = at - (this.#seen.get(line.run) ?? at);
    this.#seen.set(line.run, Math.max(at, this.#seen.get(line.run) ?? at));
    if (since <= 0 || since > longestCall) return;
    for (const key of [keyOf({ run: line.run }), keyOf({ day: line.day }), keyOf('month')]) {
      const total = this.#totals.get(key) ?? nothing;
      this.#totals.set(key, { ...total, ms: total.ms + since });
    }
  }

  #count(line: ReserveLine, amount: Amount, sign: 1 | -1): void {
    for (const key of [keyOf({ run: line.run }), keyOf({ day: line.day }), keyOf('month')]) {
      const total = this.#totals.get(key) ?? nothing;
      this.#totals.set(key, {
        calls: total.calls + sign * amount.calls,
        tokens: total.tokens + sign * amount.tokens,
        usd: total.usd + sign * (amount.usd ?? 0),
        priced: total.priced + (amount.usd === undefined ? 0 : sign),
        estimated: total.estimated + sign * amount.estimated,
        ms: total.ms,
      });
    }
  }

  #total(period: { readonly run: string } | { readonly day: string } | 'month'): Total {
    return this.#totals.get(keyOf(period)) ?? nothing;
  }
}

/** A cap after something was spent elsewhere; never below zero. */
export function lessened(cap: SpendCap, spent: Spend): SpendCap {
  return {
    calls: cap.calls === undefined ? undefined : Math.max(0, cap.calls - spent.calls),
    tokens: cap.tokens === undefined ? undefined : Math.max(0, cap.tokens - spent.tokens),
    usd: cap.usd === undefined ? undefined : Math.max(0, cap.usd - (spent.usd ?? 0)),
    minutes: cap.minutes,
  };
}

/** Two spends as one. */
export function sumOf(left: Spend, right: Spend): Spend {
  const unknown = left.usd === undefined && right.usd === undefined;
  const mixed = (left.usd === undefined) !== (right.usd === undefined);
  return {
    calls: left.calls + right.calls,
    tokens: left.tokens + right.tokens,
    usd: unknown ? undefined : (left.usd ?? 0) + (right.usd ?? 0),
    exact: left.exact && right.exact && !mixed,
  };
}

interface Amount {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number | undefined;
  readonly estimated: number;
}

interface Total {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
  readonly priced: number;
  readonly estimated: number;
  readonly ms: number;
}

const nothing: Total = { calls: 0, tokens: 0, usd: 0, priced: 0, estimated: 0, ms: 0 };
const longestCall = 15 * 60_000; // as patient as we are with one

function passedCap(period: PassedCap['period'], cap: SpendCap, total: Total, line: ReserveLine): PassedCap | undefined {
  const { calls, tokens, usd, minutes } = cap;
  if (minutes !== undefined && total.ms >= minutes * 60_000) return { period, unit: 'minutes', limit: minutes };
  if (calls !== undefined && total.calls + 1 > calls) return { period, unit: 'calls', limit: calls };
  if (tokens !== undefined && total.tokens + line.tokens > tokens) return { period, unit: 'tokens', limit: tokens };
  // A model without a known price is held by the other two limits.
  if (usd === undefined || line.usd === undefined) return undefined;
  return total.usd + line.usd > usd + moneyGrain ? { period, unit: 'usd', limit: usd } : undefined;
}

function keyOf(period: { readonly run: string } | { readonly day: string } | 'month'): string {
  if (period === 'month') return 'month';
  return 'run' in period ? `run ${period.run}` : `day ${period.day}`;
}
