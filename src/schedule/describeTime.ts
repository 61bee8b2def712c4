/** A moment as a person would say it from `now`: “today 03:17”, “tomorrow 03:17”, “yesterday 03:17”, else “on Mon 12 Jan 03:17”. */
export function describeTime(at: number, now: number, timezone: string): string {
  const time = format(at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, timezone);
  const away = dayNumber(at, timezone) - dayNumber(now, timezone);
  if (away === 0) return `today ${time}`;
  if (away === 1) return `tomorrow ${time}`;
  if (away === -1) return `yesterday ${time}`;
  const day = format(at, { weekday: 'short', day: 'numeric', month: 'short' }, timezone).replace(',', '');
  return `on ${day} ${time}`;
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
