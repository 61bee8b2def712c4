import { UserError } from '../errors.js';

const units: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** An instant out of `36h`, `7d`, `2w`, a day (`2026-11-01`, as it began here) or a time that says its zone. */
export function readSince(text: string, now: number): number {
  const [, amount, unit = ''] = /^(\d{1,6})([hdw])$/u.exec(text) ?? [];
  if (amount !== undefined) return now - Number(amount) * (units[unit] ?? 0);
  const isDay = /^\d{4}-\d\d-\d\d$/u.test(text);
  const hasZone = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/u.test(text);
  const time = isDay ? new Date(`${text}T00:00:00`).getTime() : hasZone ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new UserError(
    'usage',
    `“${text}” is no time.`,
    'Say how long ago, such as 36h, 7d or 2w, or a day such as 2026-11-01, or a time with its zone.',
  );
}

/** The same in words, as it stands at the end of a sentence: `in the last 30 days`, `since 2026-11-01`. */
export function sinceWords(text: string): string {
  const [, amount, unit = ''] = /^(\d{1,6})([hdw])$/u.exec(text) ?? [];
  if (amount === undefined) return `since ${text}`;
  const name = unitNames[unit] ?? '';
  return Number(amount) === 1 ? `in the last ${name}` : `in the last ${Number(amount)} ${name}s`;
}

const unitNames: Readonly<Record<string, string>> = { h: 'hour', d: 'day', w: 'week' };
