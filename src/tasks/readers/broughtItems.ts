import * as z from 'zod';
import { UserError } from '../../errors.js';
import type { CheckCatalog } from '../checkCatalog.js';
import { inspectTask } from '../inspectTask.js';
import { makeTask, type TaskSource } from '../makeTask.js';
import { mapInSteps, type Steps } from '../steps.js';
import type { Side, Task } from '../task.js';
import { mostTasks } from '../taskFile.js';
import type { TaskPlace, TaskProblem } from '../taskProblem.js';
import { Notes } from './importedTasks.js';
import { itemTask } from './itemTask.js';
import type { ReadTasks } from './readTasks.js';
import { checkSpecOf, whetstoneEntry } from './whetstoneFile.js';

/** What an environment brought for each side when it was asked; the items are as it wrote them. */
export interface BroughtItems {
  readonly environment: string;
  readonly train: readonly unknown[];
  readonly val: readonly unknown[];
  readonly test: readonly unknown[];
}

const sides: Readonly<Record<'train' | 'val' | 'test', Side>> = { train: 'training', val: 'heldOut', test: 'sealed' };

/** What an item may say beside its question, in the words of our own task files. */
const ownFields = whetstoneEntry
  .pick({ checks: true, references: true, context: true, system: true, tools: true, tags: true, origin: true })
  .extend({
    files: z.array(z.string()).optional(),
    expectations: z.array(z.string()).optional(),
    expected_output: z.string().optional(),
    reference_text: z.string().optional(),
  });

/**
 * The tasks of the files with those that environments bring, which are tasks of that environment, on the side that they
 * were asked for. What is wrong with an item is a problem on the line that declares its environment, and the others
 * count. Throws where there are too many, and where an id is taken by a task of the files.
 */
export function* joiningBrought(
  read: ReadTasks,
  brought: readonly BroughtItems[],
  { catalog, placeOf }: { readonly catalog: CheckCatalog; readonly placeOf: (environment: string) => TaskPlace },
): Steps<ReadTasks> {
  const rows = brought.flatMap(rowsOf);
  refuseTooMany(brought, rows.length + read.tasks.length);
  const known = new Set([...read.tasks, ...read.broken.map(({ task }) => task)].map(({ id }) => id));
  const seen = new Set<string>();
  const looked = yield* mapInSteps(rows, (row) => {
    const found = lookAt(row, catalog);
    const { id } = found;
    if (id !== undefined && known.has(id)) throw takenId(row, id);
    const isTwice = id !== undefined && seen.has(id);
    if (id !== undefined) seen.add(id);
    const place = placeOf(row.environment);
    return { ...found, place, isTwice, problems: isTwice ? [twice(row, id)] : found.problems };
  });
  const tasks = looked.filter(({ isTwice }) => !isTwice);
  return {
    ...read,
    tasks: [
      ...read.tasks,
      ...tasks.flatMap((each) => (each.task === undefined || errorIn(each.problems) !== undefined ? [] : [each.task])),
    ],
    broken: [
      ...read.broken,
      ...tasks.flatMap(({ task, problems }) => {
        const reason = errorIn(problems);
        return task === undefined || reason === undefined ? [] : [{ task, reason }];
      }),
    ],
    problems: [
      ...read.problems,
      ...looked.flatMap(({ id: taskId, place, problems }) => problems.map((each) => ({ ...each, taskId, place }))),
    ],
    places: new Map([
      ...read.places,
      ...tasks.flatMap(({ task, place }): readonly [string, TaskPlace][] =>
        task === undefined ? [] : [[task.id, place]],
      ),
    ]),
  };
}

interface ItemRow {
  readonly environment: string;
  readonly split: 'train' | 'val' | 'test';
  readonly number: number;
  readonly item: unknown;
}

function rowsOf({ environment, ...items }: BroughtItems): readonly ItemRow[] {
  return (['train', 'val', 'test'] as const).flatMap((split) =>
    items[split].map((item, index) => ({ environment, split, number: index + 1, item })),
  );
}

type Finding = Pick<TaskProblem, 'severity' | 'code' | 'message'>;

interface CheckedItem {
  readonly id: string | undefined;
  readonly task: Task | undefined;
  readonly problems: readonly Finding[];
}

function lookAt(row: ItemRow, catalog: CheckCatalog): CheckedItem {
  const source = sourceOf(row);
  if (typeof source === 'string') return { id: undefined, task: undefined, problems: [malformed(row, source)] };
  const task = makeTask(source);
  const found = inspectTask(task, catalog).map(({ severity, code, message }) => ({ severity, code, message }));
  return { id: task.id, task, problems: found };
}

/** The task of an item, or what is wrong with it. */
function sourceOf({ environment, split, number, item }: ItemRow): TaskSource | string {
  const parsed = z.record(z.string(), z.unknown()).safeParse(item);
  if (!parsed.success) return 'it is no object';
  const { reference_text: referenceText, ...stated } = Object.fromEntries(
    Object.entries(parsed.data).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  );
  const own = ownFields.safeParse({
    ...stated,
    ...(referenceText === undefined ? {} : { reference_text: referenceText }),
  });
  if (!own.success) return z.prettifyError(own.error).replaceAll(/\s+/gu, ' ');
  const asked = itemTask(stated, `${environment}-${split}-${number}`, new Notes());
  if (asked === undefined) return whyNothingAsked(parsed.data);
  const { checks, tags, expected_output: expectedOutput, reference_text: known, ...fields } = own.data;
  return {
    ...asked,
    ...onlyOurs(fields),
    ...(expectedOutput === undefined ? {} : { expectedOutput }),
    ...(checks === undefined ? {} : { checks: checks.map(checkSpecOf) }),
    ...(tags === undefined ? {} : { tags: [...new Set([...(asked.tags ?? []), ...tags])] }),
    ...(known === undefined ? {} : { referenceText: known }),
    environment,
    assigned: sides[split],
  };
}

const mostNamed = 10;

/** The field that is no question, or which fields there are instead: one of them may be mistyped. */
function whyNothingAsked(item: Readonly<Record<string, unknown>>): string {
  const wrong = ['prompt', 'question'].find((name) => Object.hasOwn(item, name) && typeof item[name] !== 'string');
  if (wrong !== undefined) return `“${wrong}” is no text`;
  const there = Object.keys(item).slice(0, mostNamed).join(', ');
  return `it asks nothing: “prompt” or “question” is missing (it has: ${there})`;
}

/** The schema lets everything else through; a task takes none of it. */
function onlyOurs({
  references,
  context,
  system,
  tools,
  origin,
  files,
  expectations,
}: Partial<z.output<typeof ownFields>>): Partial<TaskSource> {
  const named = { references, context, system, tools, origin, files, expectations };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

function errorIn(problems: readonly Finding[]): string | undefined {
  return problems.find(({ severity }) => severity === 'error')?.message;
}

function malformed({ environment, split, number }: ItemRow, why: string): Finding {
  const message = `Item ${number} of ${split} that “${environment}” brings is left out: ${why}.`;
  return { severity: 'error', code: 'schema', message };
}

function twice({ environment, split, number }: ItemRow, id: string): Finding {
  const message = `Item ${number} of ${split} that “${environment}” brings has the id “${id}” of an earlier one, and is left out.`;
  return { severity: 'error', code: 'duplicate-id', message };
}

function takenId({ environment }: ItemRow, id: string): UserError {
  return new UserError(
    'tasks-malformed',
    `The environment “${environment}” brings a task with the id “${id}”, which a task of the files has.`,
    'Give one of the two another id.',
  );
}

function refuseTooMany(brought: readonly BroughtItems[], count: number): void {
  if (count <= mostTasks) return;
  const names = brought.map(({ environment }) => `“${environment}”`).join(', ');
  throw new UserError(
    'tasks-malformed',
    `With what ${names} brings there are ${count} tasks, and at most ${mostTasks} of one skill are read.`,
    'Let it bring fewer.',
  );
}
