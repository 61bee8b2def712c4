import { Cron } from 'croner';
import { UserError } from '../errors.js';
import { parseSchedule, printCron, type CronExpression } from './cronExpression.js';

/** What becomes of a night that was slept through: ask the person, run it late, or let it go. */
export type CatchUp = 'ask' | 'run' | 'skip';

export interface ScheduleSettings {
  readonly enabled: boolean;
  readonly cron: CronExpression;
  /** IANA name; the schedule's wall clock. */
  readonly timezone: string;
  readonly catchUp: CatchUp;
  /** Skills that a night leaves alone, by the name or path the person gave. */
  readonly excluded: readonly string[];
  readonly onBattery: 'run' | 'skip';
}

/** Off the full hour: every machine that chose a round time calls the same servers at that moment. */
export const defaultTime = '03:17';

/**
 * Reads the schedule's settings; what is absent takes its default (off, 03:17, the machine's zone, ask).
 * Throws a UserError that names the setting for an unknown key, a wrong type, a zone that does not exist or a date that never comes.
 */
export function parseScheduleSettings(raw: unknown, machineTimezone: string): ScheduleSettings {
  const settings = settingsObject(raw);
  for (const key of Object.keys(settings))
    if (!knownKeys.includes(key))
      throw refused(`“${key}” is no setting of the schedule`, `Use ${knownKeys.join(', ')}.`);
  const cron = parseSchedule(stringIn(settings, 'at', defaultTime));
  const timezone = stringIn(settings, 'timezone', machineTimezone);
  assertComes(cron, timezone);
  return {
    enabled: booleanIn(settings, 'enabled', false),
    cron,
    timezone,
    catchUp: choiceIn(settings, 'catchUp', ['ask', 'run', 'skip']),
    excluded: stringsIn(settings, 'excluded'),
    onBattery: choiceIn(settings, 'onBattery', ['run', 'skip']),
  };
}

const knownKeys: readonly string[] = ['enabled', 'at', 'timezone', 'catchUp', 'excluded', 'onBattery'];

function settingsObject(raw: unknown): Readonly<Record<string, unknown>> {
  if (raw === undefined) return {};
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw refused('The schedule must be an object', `Use ${knownKeys.join(', ')}.`);
  return { ...raw };
}

function assertComes(cron: CronExpression, timezone: string): void {
  const text = printCron(cron);
  if (firstEver(text, timezone) === null)
    throw refused(`The schedule “${text}” names a date that never comes`, 'Choose a day that the month has.');
}

function firstEver(text: string, timezone: string): Date | null {
  try {
    return new Cron(text, { timezone, mode: '5-part' }).nextRun(new Date(0));
  } catch (cause) {
    // The fields were read before: only the zone is left to be wrong.
    throw new UserError(
      'options-malformed',
      `“${timezone}” is no time zone.`,
      'Use an IANA name such as Europe/Berlin, or leave the setting out for the zone of this machine.',
      { cause },
    );
  }
}

function stringIn(settings: Readonly<Record<string, unknown>>, key: string, otherwise: string): string {
  const value = settings[key];
  if (value === undefined) return otherwise;
  if (typeof value !== 'string' || value.trim() === '')
    throw refused(`“${key}” must be a text`, `For example “${otherwise}”.`);
  return value;
}

function booleanIn(settings: Readonly<Record<string, unknown>>, key: string, otherwise: boolean): boolean {
  const value = settings[key];
  if (value === undefined) return otherwise;
  if (typeof value !== 'boolean') throw refused(`“${key}” must be true or false`, 'Write it without quotes.');
  return value;
}

function stringsIn(settings: Readonly<Record<string, unknown>>, key: string): readonly string[] {
  const value = settings[key];
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string'))
    throw refused(`“${key}” must be a list of texts`, 'For example ["incident-summary"].');
  return value;
}

/** The first choice is the default. */
function choiceIn<Choice extends string>(
  settings: Readonly<Record<string, unknown>>,
  key: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const value = settings[key];
  if (value === undefined) return choices[0];
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined) throw refused(`“${key}” must be one of ${choices.join(', ')}`, `Write “${choices[0]}”.`);
  return chosen;
}

function refused(what: string, cure: string): UserError {
  return new UserError('options-malformed', `${what}.`, cure);
}
