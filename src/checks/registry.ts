import { AsyncLocalStorage } from 'node:async_hooks';
import { UserError } from '../errors.js';
import type { CheckCatalog, CheckInspection } from '../tasks/checkCatalog.js';
import type { CheckSpec, Task } from '../tasks/task.js';
import { MalformedCheckError, type Check, type PreparedCheck } from './check.js';
import { meantName } from '../tasks/nearestName.js';
import { checkOfOwn } from './ownCheck.js';
import type { OwnCheck } from '../ports/ownCheck.js';
import { commandRan, fileChanged, skillUsed } from './rules/agentWork.js';
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
  skillUsed,
  fileChanged,
  commandRan,
  command,
  rubric,
];

/** How one entry of a task was understood. */
export type CheckPreparation =
  | { readonly kind: 'prepared'; readonly check: PreparedCheck }
  | Exclude<CheckInspection, { kind: 'sound' }>;

export function prepareCheck(spec: CheckSpec, task: Task): CheckPreparation {
  const check = byName.get(spec.check) ?? ownOfCall.getStore()?.get(spec.check) ?? remembered.get(spec.check);
  if (check === undefined) {
    const known = [...byName.keys(), ...remembered.keys()];
    return { kind: 'unknown', nearest: meantName(spec.check, known), known };
  }
  try {
    return { kind: 'prepared', check: check.prepare(spec, task) };
  } catch (error) {
    if (error instanceof MalformedCheckError) return { kind: 'malformed', faults: error.faults };
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

const byName = new Map<string, Check>(allChecks.map((check) => [check.name, check]));
const remembered = new Map<string, Check>();
const ownOfCall = new AsyncLocalStorage<ReadonlyMap<string, Check>>();
let callsUnderWay = 0;

/**
 * Lets tasks name checks of one's own while this work goes on: another call may have others of the same names at the same
 * time. Work that brings none of a name is judged by what was brought last in this process.
 */
export async function withOwnChecks<Result>(checks: readonly OwnCheck[], work: () => Promise<Result>): Promise<Result> {
  const brought = new Map<string, OwnCheck>();
  for (const check of checks) {
    const why = brought.get(check.name) === check ? undefined : whyNot(check, brought);
    if (why !== undefined) {
      const cure = 'Give it a name that no other check has, a criterion in plain words, and a function “evaluate”.';
      throw new UserError('check-malformed', `The check “${check.name}” cannot be used: ${why}.`, cure);
    }
    brought.set(check.name, check);
  }
  const own = new Map([...brought].map(([name, check]) => [name, checkOfOwn(check)]));
  for (const [name, check] of own) remembered.set(name, check);
  callsUnderWay += 1;
  try {
    return await ownOfCall.run(own, work);
  } finally {
    callsUnderWay -= 1;
    if (callsUnderWay === 0) ownOfCall.disable(); // while it is on, every promise of the process takes twice as long
  }
}

/** Whether anybody brought checks of their own: what a name means then depends on who asks, and when. */
export function knowsOwnChecks(): boolean {
  return remembered.size > 0;
}

/** Whoever writes JavaScript may leave out what the types ask for. */
function whyNot(
  { name, criterion, evaluate }: { readonly [key in keyof OwnCheck]: unknown },
  others: ReadonlyMap<string, OwnCheck>,
): string | undefined {
  if (typeof name !== 'string' || !/^[a-z][\w-]*$/i.test(name))
    return 'its name is not made of letters, digits and dashes';
  if (allChecks.some((each) => each.name === name)) return 'the name is one of ours';
  if (others.has(name)) return 'the name is taken';
  if (typeof criterion !== 'function' && (typeof criterion !== 'string' || criterion.trim() === ''))
    return 'it has no criterion';
  return typeof evaluate === 'function' ? undefined : 'it has no function “evaluate”';
}
