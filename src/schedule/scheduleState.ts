import type { Night } from './nextDue.js';

/** A night that was slept through and waits for the person's word. */
export interface MissedNight extends Night {
  /** How many nights were missed in a row, this one counted; at most {@link mostMissed}. */
  readonly count: number;
}

/** What became of the last night that was dealt with, for the status bar and the report. */
export interface SettledNight extends Night {
  readonly at: number;
  readonly kind: 'run' | 'ask' | 'skip';
  readonly sentence: string;
}

/** What the schedule remembers between polls, windows and restarts. Stored before a decision is acted on. */
export interface ScheduleState {
  /** When it was turned on; undefined while off. */
  readonly enabledAt: number | undefined;
  /** The schedule that `nextDue` was reckoned with. */
  readonly cron: string;
  readonly nextDue: number | undefined;
  readonly lastRun: { readonly key: string; readonly at: number; readonly catchUp: boolean } | undefined;
  readonly lastDecision: SettledNight | undefined;
  readonly missed: MissedNight | undefined;
  /** Keys of the nights that were run, skipped or asked about, newest last: none of them is dealt with again. */
  readonly settled: readonly string[];
}

/** Counting further tells the person nothing. */
export const mostMissed = 30;

/** More than a year of nights: only a clock set back further than that could repeat one. */
export const keptNights = 400;

/** Reads a stored state; undefined where it is not one, which counts as just turned on and so never runs at once. */
export function parseScheduleState(raw: unknown): ScheduleState | undefined {
  if (!isRecord(raw)) return undefined;
  const { enabledAt, cron, nextDue, lastRun, lastDecision, missed, settled } = raw;
  if (!isOptional(enabledAt, isTime) || !isOptional(nextDue, isTime) || typeof cron !== 'string') return undefined;
  if (!isOptional(lastRun, isLastRun) || !isOptional(lastDecision, isSettledNight) || !isOptional(missed, isMissed))
    return undefined;
  if (!Array.isArray(settled) || !settled.every((key) => typeof key === 'string')) return undefined;
  return { enabledAt, cron, nextDue, lastRun, lastDecision, missed, settled };
}

type Guard<Value> = (value: unknown) => value is Value;

function isOptional<Value>(value: unknown, guard: Guard<Value>): value is Value | undefined {
  return value === undefined || guard(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isNight(value: unknown): value is Night & Readonly<Record<string, unknown>> {
  return isRecord(value) && typeof value['key'] === 'string' && isTime(value['due']);
}

function isMissed(value: unknown): value is MissedNight {
  return isNight(value) && isTime(value['count']);
}

function isLastRun(value: unknown): value is NonNullable<ScheduleState['lastRun']> {
  return (
    isRecord(value) && typeof value['key'] === 'string' && isTime(value['at']) && typeof value['catchUp'] === 'boolean'
  );
}

function isSettledNight(value: unknown): value is SettledNight {
  if (!isNight(value) || !isTime(value['at']) || typeof value['sentence'] !== 'string') return false;
  return value['kind'] === 'run' || value['kind'] === 'ask' || value['kind'] === 'skip';
}
