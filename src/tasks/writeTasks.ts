import { jsonFile } from '../jsonFile.js';
import { UserError } from '../errors.js';
import { addMembers, appendItems, removeItem, setMembers } from './json/jsonEdit.js';
import { memberOf, valueOf } from './json/jsonTree.js';
import { joinTasks, type JoinedRow } from './readers/joinTasks.js';
import { makeTask, publicHashOf, type TaskSource } from './makeTask.js';
import { readEvals, withoutDuplicates, type EvalRow } from './readers/readEvals.js';
import { readWhetstone, type WhetstoneRow } from './readers/readWhetstone.js';
import { mostTasks, openTaskFile } from './taskFile.js';
import { evalMembers, whetstoneMembers } from './readers/taskMembers.js';
import { atOnce } from './steps.js';
import { whetstoneFormat, whetstoneVersion } from './readers/whetstoneFile.js';

/** What a person does to the tasks of a skill. */
export type TaskChange =
  | { readonly kind: 'add'; readonly tasks: readonly TaskSource[] }
  /** Only the fields given change; `undefined` takes one away. */
  | { readonly kind: 'edit'; readonly id: string; readonly fields: Omit<Partial<TaskSource>, 'id'> }
  | { readonly kind: 'enable' | 'disable' | 'confirm' | 'remove'; readonly id: string };

export interface TaskTexts {
  /** Undefined where the file does not exist. */
  readonly evalsText: string | undefined;
  readonly whetstoneText: string | undefined;
  /** The separate held-out file, where `whetstone.json` names one. */
  readonly heldOutText?: string | undefined;
}

/**
 * Makes one change to the task files and touches nothing else in them: unknown fields, the order of things and the
 * indentation stay. Whatever it writes beside a task carries the hash of the task it was written for.
 */
export function writeTasks(texts: TaskTexts, change: TaskChange, options: { readonly skillName: string }): TaskTexts {
  const evalsText = texts.evalsText ?? emptyEvals(options.skillName);
  const known = knownTasks({ ...texts, evalsText });
  switch (change.kind) {
    case 'add':
      return addTasks({ ...texts, evalsText }, change.tasks, known);
    case 'edit':
      return editTask({ ...texts, evalsText }, taskNamed(change.id, known), change.fields);
    case 'enable':
      return editTask({ ...texts, evalsText }, taskNamed(change.id, known), { enabled: true });
    case 'disable':
      return editTask({ ...texts, evalsText }, taskNamed(change.id, known), { enabled: false });
    case 'confirm':
      return editTask({ ...texts, evalsText }, taskNamed(change.id, known), { draft: false });
    case 'remove':
      return removeTask({ ...texts, evalsText }, taskNamed(change.id, known));
  }
}

/** A task that was taken out, with all that others wrote into its entries. */
export interface RemovedTask {
  readonly id: string;
  /** Its entry in the list, and what only Whetstone knows of it, as they stood there. */
  readonly entry: unknown;
  readonly whetstone: unknown;
  readonly before: TaskTexts;
  readonly after: TaskTexts;
}

/** Takes a task out of the texts, and keeps what is needed to bring it back. */
export function takeOutTask(texts: TaskTexts, id: string, options: { readonly skillName: string }): RemovedTask {
  const evalsText = texts.evalsText ?? emptyEvals(options.skillName);
  const { row, whetstone } = taskNamed(id, knownTasks({ ...texts, evalsText }));
  return {
    id,
    entry: valueOf(row.node),
    whetstone: whetstone === undefined ? undefined : valueOf(whetstone.member.value),
    before: texts,
    after: writeTasks(texts, { kind: 'remove', id }, options),
  };
}

/** The texts with the task in them again: to the byte where nobody wrote since, else at the end of the list. */
export function putBackTask(
  texts: TaskTexts,
  removed: RemovedTask,
  options: { readonly skillName: string },
): TaskTexts {
  const { before, after, id } = removed;
  const parts = ['evalsText', 'whetstoneText', 'heldOutText'] as const;
  if (parts.every((part) => texts[part] === after[part])) return before;
  const evalsText = texts.evalsText ?? emptyEvals(options.skillName);
  if (knownTasks({ ...texts, evalsText }).some(({ row }) => row.id === id))
    throw new UserError('tasks-malformed', `There is already a task “${id}”.`, 'Give the other task another id first.');
  return {
    ...texts,
    evalsText: appendItems(evalsText, ['evals'], [removed.entry]),
    whetstoneText:
      removed.whetstone === undefined
        ? texts.whetstoneText
        : addEntries(texts.whetstoneText, new Map([[id, removed.whetstone]])),
  };
}

type Texts = TaskTexts & { readonly evalsText: string };
type ListText = 'evalsText' | 'heldOutText';
/** With the text that the task stands in, and its place in the list there. */
type KnownRows = readonly (JoinedRow & { readonly list: ListText; readonly index: number })[];

function emptyEvals(skillName: string): string {
  return `${jsonFile({ skill_name: skillName, evals: [] }, 2)}\n`;
}

function emptyWhetstone(): string {
  return `${JSON.stringify({ format: whetstoneFormat, version: whetstoneVersion, tasks: {} }, null, 2)}\n`;
}

function knownTasks(texts: Texts): KnownRows {
  const lists = [...rowsIn('evalsText', texts.evalsText), ...rowsIn('heldOutText', texts.heldOutText)];
  const placeOf = new Map(lists.map(({ row, list, index }) => [row, { list, index }]));
  const { rows } = withoutDuplicates(lists.map(({ row }) => row));
  const entries: readonly WhetstoneRow[] =
    texts.whetstoneText === undefined
      ? []
      : atOnce(readWhetstone(openTaskFile('whetstone.json', texts.whetstoneText))).rows;
  return joinTasks(rows, entries).joined.map((one) => ({
    list: 'evalsText',
    index: 0,
    ...placeOf.get(one.row),
    ...one,
  }));
}

function rowsIn(
  list: ListText,
  text: string | undefined,
): readonly { readonly row: EvalRow; readonly list: ListText; readonly index: number }[] {
  if (text === undefined) return [];
  const file = openTaskFile(list === 'evalsText' ? 'evals.json' : 'the held-out file', text);
  const evals = memberOf(file.root, 'evals')?.value;
  const indexOf = new Map(evals?.kind === 'array' ? evals.items.map((node, index) => [node, index]) : []);
  const { rows } = atOnce(readEvals(file, { heldOut: list === 'heldOutText' }));
  return rows.map((row) => ({ row, list, index: indexOf.get(row.node) ?? 0 }));
}

function taskNamed(id: string, known: KnownRows): KnownRows[number] {
  const found = known.find((one) => one.row.id === id);
  if (found !== undefined) return found;
  throw new UserError(
    'tasks-missing',
    `There is no task “${id}”.`,
    'Look at the list of tasks and choose one of them.',
  );
}

function addTasks(texts: Texts, tasks: readonly TaskSource[], known: KnownRows): TaskTexts {
  const taken = new Set(known.map((one) => one.row.id));
  const together = known.length + tasks.length;
  if (together > mostTasks) {
    throw new UserError(
      'tasks-malformed',
      `With these ${tasks.length} tasks the skill would have ${together}, and at most ${mostTasks} of one skill are read.`,
      'Bring in fewer of them, or take others out first.',
    );
  }
  for (const { id } of tasks) {
    if (taken.has(id))
      throw new UserError('tasks-malformed', `There is already a task “${id}”.`, 'Give the new task another id.');
    taken.add(id);
  }
  const entries = new Map(
    tasks.map((task) => {
      const members = [...whetstoneMembers(task)].filter(([, value]) => value !== undefined);
      return [
        task.id,
        members.length === 0 ? undefined : Object.fromEntries([['contentHash', hashOf(task)], ...members]),
      ];
    }),
  );
  const written = new Map([...entries].filter(([, entry]) => entry !== undefined));
  return {
    ...texts,
    evalsText: appendItems(
      texts.evalsText,
      ['evals'],
      tasks.map((task) => ({ id: idToWrite(task.id), ...Object.fromEntries(evalMembers(task, undefined)) })),
    ),
    whetstoneText: written.size === 0 ? texts.whetstoneText : addEntries(texts.whetstoneText, written),
  };
}

function editTask(
  texts: Texts,
  { row, whetstone, list, index }: KnownRows[number],
  fields: Omit<Partial<TaskSource>, 'id'>,
): TaskTexts {
  const edited = setMembers(texts[list] ?? '', ['evals', index], evalMembers(fields, row.node));
  const written = { ...texts, [list]: edited };
  const members = new Map<string, unknown>([
    ['contentHash', hashOf({ ...row.part, ...fields })],
    ...whetstoneMembers(fields),
  ]);
  const says = [...members].some(([key, value]) => key !== 'contentHash' && value !== undefined);
  if (whetstone !== undefined && texts.whetstoneText !== undefined) {
    return { ...written, whetstoneText: setMembers(texts.whetstoneText, ['tasks', whetstone.id], members) };
  }
  if (!says) return written;
  const entry = Object.fromEntries([...members].filter(([, value]) => value !== undefined));
  return { ...written, whetstoneText: addEntries(texts.whetstoneText, new Map([[row.id, entry]])) };
}

function removeTask(texts: Texts, { whetstone, list, index }: KnownRows[number]): TaskTexts {
  const { whetstoneText } = texts;
  return {
    ...texts,
    [list]: removeItem(texts[list] ?? '', ['evals'], index),
    whetstoneText:
      whetstone === undefined || whetstoneText === undefined
        ? whetstoneText
        : setMembers(whetstoneText, ['tasks'], new Map([[whetstone.id, undefined]])),
  };
}

function addEntries(whetstoneText: string | undefined, entries: ReadonlyMap<string, unknown>): string {
  const text = whetstoneText ?? emptyWhetstone();
  const has = memberOf(openTaskFile('whetstone.json', text).root, 'tasks') !== undefined;
  return addMembers(has ? text : addMembers(text, [], new Map([['tasks', {}]])), ['tasks'], entries);
}

function hashOf(source: Partial<TaskSource>): string {
  return publicHashOf(makeTask({ prompt: '', ...source, id: '' }));
}

// The public format counts its examples; an id that is a number stays one.
function idToWrite(id: string): string | number {
  return /^(?:0|[1-9]\d{0,8})$/u.test(id) ? Number(id) : id;
}
