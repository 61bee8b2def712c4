import { UserError } from '../errors.js';
import type { SpendCap } from '../ports/spend.js';

/** Caps for every period, as `--cap` and WHETSTONE_CAPS state them. */
export interface StatedCaps {
  readonly run: SpendCap;
  readonly day: SpendCap;
  readonly month: SpendCap;
}

const form = /^(run|day|month)\.(calls|tokens|usd|minutes)=(\d+(?:\.\d+)?)$/;

/** Reads `day.usd=1`, `month.tokens=500000`, `run.minutes=20`; of two for the same thing the later one holds. */
export function readCaps(assignments: readonly string[]): StatedCaps {
  return assignments.reduce<StatedCaps>((caps, assignment) => withCap(caps, assignment.trim()), none);
}

const none: StatedCaps = { run: {}, day: {}, month: {} };

function withCap(caps: StatedCaps, assignment: string): StatedCaps {
  const [, period, unit = '', value] = form.exec(assignment) ?? [];
  if (period !== 'run' && period !== 'day' && period !== 'month') throw noCap(assignment);
  if (wholeUnits.includes(unit) && !Number.isInteger(Number(value))) throw partOf(assignment, unit);
  if (period === 'run' && Number(value) === 0) throw emptyCap(assignment); // of a day it stops all that costs
  return { ...caps, [period]: { ...caps[period], [unit]: Number(value) } };
}

function noCap(assignment: string): UserError {
  const cure =
    'Write run, day or month, a dot, and calls, tokens, usd or minutes: such as day.usd=1 or run.minutes=20.';
  return new UserError('usage', `“${assignment}” is not a cap.`, cure);
}

const wholeUnits = ['calls', 'tokens'];

function partOf(assignment: string, unit: string): UserError {
  return new UserError('usage', `“${assignment}” is not a cap: there are no parts of ${unit}.`, 'Give a whole number.');
}

/** What `--max-calls` or `--max-tokens` says. */
export function wholeCap(flag: '--max-calls' | '--max-tokens', text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\s*[1-9]\d{0,14}\s*$/u.test(text)) return Number(text);
  throw new UserError('usage', `${flag} takes a whole number above 0, and “${text}” is none.`, `Write ${flag} 200.`);
}

function emptyCap(assignment: string): UserError {
  return new UserError('usage', `“${assignment}” leaves nothing to a run.`, 'Give a cap that is above 0.');
}

/** The assignments of an environment variable, which holds several of them with commas between. */
export function listed(variable: string | undefined): readonly string[] {
  return (variable ?? '').split(',').filter((part) => part.trim() !== '');
}
