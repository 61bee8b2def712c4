import { Cron } from 'croner';
import { printCron, timeOfDay } from './cronExpression.js';
import type { ScheduleSettings } from './scheduleSettings.js';

/** The days and the wall clock that nights are reckoned by. */
export type NightPlan = Pick<ScheduleSettings, 'cron' | 'timezone'>;

/**
 * One scheduled night. `key` is its local date and scheduled time: a clock that is set back, an hour that comes twice
 * and a flight to another zone all lead to the same key, and a key is dealt with once.
 */
export interface Night {
  readonly key: string;
  /** When it is due, in milliseconds since 1970. */
  readonly due: number;
}

/**
 * The first night due after `after` that is not settled; undefined where the calendar ends. A time that the clocks
 * skip is due at the next minute that exists, a time that comes twice at its first coming.
 */
export function nextNight(plan: NightPlan, after: number, settled: readonly string[]): Night | undefined {
  const cron = cronOf(plan);
  let due = cron.nextRun(new Date(after));
  while (due !== null) {
    const night = nightAt(plan, due.getTime());
    if (!settled.includes(night.key)) return night;
    due = cron.nextRun(due);
  }
  return undefined;
}

/** The last night that was due at or before `now`, settled or not. */
export function latestNight(plan: NightPlan, now: number): Night | undefined {
  // The search is for times before its argument and ignores milliseconds.
  const [due] = cronOf(plan).previousRuns(1, new Date(now + 1000 - (now % 1000)));
  return due === undefined ? undefined : nightAt(plan, due.getTime());
}

/** How many nights were due from `first` to `last`, both counted; stops counting at `most`. */
export function countNights(plan: NightPlan, first: number, last: number, most: number): number {
  const cron = cronOf(plan);
  let count = 0;
  let due = cron.nextRun(new Date(first - 1000));
  while (due !== null && due.getTime() <= last && count < most) {
    count += 1;
    due = cron.nextRun(due);
  }
  return count;
}

function cronOf(plan: NightPlan): Cron {
  return new Cron(printCron(plan.cron), { timezone: plan.timezone, mode: '5-part' });
}

function nightAt(plan: NightPlan, due: number): Night {
  return { key: `${localDate(due, plan.timezone)} ${timeOfDay(plan.cron)}`, due };
}

/** `YYYY-MM-DD` on the wall of that zone. */
function localDate(at: number, timezone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(new Date(at));
  const part = (type: string): string => parts.find((candidate) => candidate.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}
