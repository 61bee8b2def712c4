import type { CheckCatalog, CheckInspection } from '../tasks/checkCatalog.js';
import type { CheckSpec, Task } from '../tasks/task.js';
import { MalformedCheckError, type Check, type PreparedCheck } from './check.js';
import { nearestName } from './nearestName.js';
import { command } from './rules/command.js';
import { contains, notContains } from './rules/contains.js';
import { exact } from './rules/exact.js';
import { jsonSchema } from './rules/jsonSchema.js';
import { maxChars, minChars } from './rules/length.js';
import { noRefusal } from './rules/noRefusal.js';
import { regex } from './rules/regex.js';
import { rubric } from './rules/rubric.js';
import { sectionContains, sectionPresent } from './rules/sections.js';
import { toolCalled, toolNotCalled } from './rules/tools.js';

/** Every check there is, in the order people read about them. */
export const allChecks: readonly Check[] = [
  contains,
  notContains,
  regex,
  sectionPresent,
  sectionContains,
  maxChars,
  minChars,
  noRefusal,
  toolCalled,
  toolNotCalled,
  jsonSchema,
  exact,
  command,
  rubric,
];

/** How one entry of a task was understood. */
export type CheckPreparation =
  | { readonly kind: 'prepared'; readonly check: PreparedCheck }
  | Exclude<CheckInspection, { kind: 'sound' }>;

export function prepareCheck(spec: CheckSpec, task: Task): CheckPreparation {
  const check = byName.get(spec.check);
  if (check === undefined) return { kind: 'unknown', nearest: nearestName(spec.check, [...byName.keys()]) };
  try {
    return { kind: 'prepared', check: check.prepare(spec, task) };
  } catch (error) {
    if (error instanceof MalformedCheckError) return { kind: 'malformed', reason: error.message, path: error.path };
    throw error;
  }
}

/** What reading tasks needs to know of the checks. */
export const checkCatalog: CheckCatalog = {
  inspect: (spec, task) => {
    const preparation = prepareCheck(spec, task);
    if (preparation.kind !== 'prepared') return preparation;
    const { shapeOnly = false, canFail = true, cannotPass, isDescribed = true } = preparation.check;
    return { kind: 'sound', shapeOnly, canFail, cannotPass, isDescribed };
  },
};

const byName: ReadonlyMap<string, Check> = new Map(allChecks.map((check) => [check.name, check]));
