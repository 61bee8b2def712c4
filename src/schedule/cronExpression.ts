import { UserError } from '../errors.js';

/** `'*'` where the field restricts nothing, otherwise the allowed numbers in rising order. */
export type CronField = '*' | readonly number[];

/**
 * A schedule of at most one time a day: five cron fields of which minute and hour are single numbers. Held as numbers,
 * so that the extension, cron, launchd and the Windows Task Scheduler all get the same days.
 */
export interface CronExpression {
  readonly minute: number;
  readonly hour: number;
  readonly days: CronField;
  readonly months: CronField;
  /** Sunday is 0. As in cron, days and weekdays together mean either of them. */
  readonly weekdays: CronField;
}

/** Reads `HH:MM` or a five-field cron expression; throws a UserError that quotes what was wrong. */
export function parseSchedule(text: string): CronExpression {
  const trimmed = text.trim();
  const time = /^(\d{1,2}):(\d{2})$/u.exec(trimmed);
  const fields = time === null ? trimmed.split(/\s+/u) : [time[2], time[1], '*', '*', '*'];
  if (fields.length !== 5) throw malformed(text, 'it is neither a time nor five fields');
  const [minute = '', hour = '', days = '', months = '', weekdays = ''] = fields;
  return {
    minute: singleNumber(text, minute, minuteField),
    hour: singleNumber(text, hour, hourField),
    days: parseField(text, days, dayField),
    months: parseField(text, months, monthField),
    weekdays: parseField(text, weekdays, weekdayField),
  };
}

/** The expression as five fields of plain numbers, which every cron understands. */
export function printCron(cron: CronExpression): string {
  return [cron.minute, cron.hour, ...[cron.days, cron.months, cron.weekdays].map(printField)].join(' ');
}

/** The time of day as `HH:MM`. */
export function timeOfDay(cron: CronExpression): string {
  return `${String(cron.hour).padStart(2, '0')}:${String(cron.minute).padStart(2, '0')}`;
}

interface FieldKind {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly words: readonly string[];
}

const minuteField: FieldKind = { name: 'minute', from: 0, to: 59, words: [] };
const hourField: FieldKind = { name: 'hour', from: 0, to: 23, words: [] };
const dayField: FieldKind = { name: 'day of the month', from: 1, to: 31, words: [] };
const monthField: FieldKind = {
  name: 'month',
  from: 1,
  to: 12,
  words: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
};
// Cron takes 7 for Sunday as well.
const weekdayField: FieldKind = {
  name: 'weekday',
  from: 0,
  to: 7,
  words: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
};

function printField(field: CronField): string {
  return field === '*' ? '*' : field.join(',');
}

function singleNumber(text: string, field: string, kind: FieldKind): number {
  if (!/^\d+$/u.test(field))
    throw malformed(text, `the ${kind.name} must be one number, because a night runs at most once a day`);
  return numberIn(text, field, kind);
}

function parseField(text: string, field: string, kind: FieldKind): CronField {
  if (field === '*') return '*';
  const values = new Set(field.split(',').flatMap((part) => parsePart(text, part, kind)));
  if (kind === weekdayField && values.delete(7)) values.add(0);
  return [...values].sort((a, b) => a - b);
}

function parsePart(text: string, part: string, kind: FieldKind): readonly number[] {
  const every = /^\*\/(\d+)$/u.exec(part);
  if (every !== null) return stepped(text, part, { from: kind.from, to: lastOf(kind), step: Number(every[1]) });
  const range = /^(\w+)-(\w+)(?:\/(\d+))?$/u.exec(part);
  if (range === null) return [numberIn(text, part, kind)];
  const [, from = '', to = '', step = '1'] = range;
  return stepped(text, part, {
    from: numberIn(text, from, kind),
    to: numberIn(text, to, kind),
    step: Number(step),
  });
}

function stepped(
  text: string,
  part: string,
  { from, to, step }: { readonly from: number; readonly to: number; readonly step: number },
): readonly number[] {
  if (to < from) throw malformed(text, `the range “${part}” runs backwards`);
  if (step < 1) throw malformed(text, `the step in “${part}” must be 1 or more`);
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
}

/** `*` in the weekday field counts Sunday once. */
function lastOf(kind: FieldKind): number {
  return kind === weekdayField ? 6 : kind.to;
}

function numberIn(text: string, word: string, kind: FieldKind): number {
  const named = kind.words.indexOf(word.toLowerCase());
  const value = named >= 0 ? named + kind.from : /^\d+$/u.test(word) ? Number(word) : Number.NaN;
  if (!(value >= kind.from && value <= kind.to))
    throw malformed(text, `“${word}” is no ${kind.name} (${kind.from} to ${lastOf(kind)})`);
  return value;
}

function malformed(text: string, why: string): UserError {
  return new UserError(
    'options-malformed',
    `The schedule “${text}” cannot be read: ${why}.`,
    'Write a time such as 03:17, or five cron fields such as 17 3 * * 1-5.',
  );
}
