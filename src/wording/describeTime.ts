import type { Say } from './translate.js';

/** From where a moment is looked at. */
export interface TimeContext {
  readonly now: number;
  readonly timezone: string;
}

/** A moment as a person would say it: “today 03:17”, “tomorrow 03:17”, “yesterday 03:17”, else “on Mon 12 Jan 03:17”. */
export function describeTime(at: number, context: TimeContext, say: Say): string {
  const time = timeOf(at, context);
  switch (daysAway(at, context)) {
    case 0:
      return say('today {0}', time);
    case 1:
      return say('tomorrow {0}', time);
    case -1:
      return say('yesterday {0}', time);
    default:
      return say('on {0} {1}', dayOf(at, context, say), time);
  }
}

/** The same where the place is small: today and tomorrow go without saying. */
export function briefTime(at: number, context: TimeContext, say: Say): string {
  const away = daysAway(at, context);
  if (away === -1) return describeTime(at, context, say);
  const time = timeOf(at, context);
  return away === 0 || away === 1 ? time : `${dayOf(at, context, say)} ${time}`;
}

/** “2 min ago”, for what happened within a day; undefined for what is older. */
export function agoText(at: number, now: number, say: Say): string | undefined {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return say('just now');
  if (minutes < 60) return say('{0} min ago', minutes);
  return minutes < 24 * 60 ? say('{0} h ago', Math.floor(minutes / 60)) : undefined;
}

function timeOf(at: number, { timezone }: TimeContext): string {
  return format(at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, timezone);
}

/** The day as the language writes it: the text that is translated here is the name of a locale. */
function dayOf(at: number, { timezone }: TimeContext, say: Say): string {
  const parts = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  return format(at, parts, timezone, say('en-GB')).replace(',', '');
}

function daysAway(at: number, { now, timezone }: TimeContext): number {
  return dayNumber(at, timezone) - dayNumber(now, timezone);
}

/** Days since 1970 on the wall calendar of that zone. */
function dayNumber(at: number, timezone: string): number {
  const [month, day, year] = format(at, { year: 'numeric', month: 'numeric', day: 'numeric' }, timezone, 'en-US').split(
    '/',
  );
  return Math.round(Date.UTC(Number(year), Number(month) - 1, Number(day)) / 86_400_000);
}

function format(at: number, options: Intl.DateTimeFormatOptions, timezone: string, locale = 'en-GB'): string {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: timezone }).format(new Date(at));
}
