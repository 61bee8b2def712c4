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
