import * as z from 'zod';
import { plainTask } from '../imports/plainTask.js';
import type { TaskSource } from '../makeTask.js';
import type { Side } from '../task.js';
import {
  malformedImport,
  Notes,
  parseImport,
  withDistinctIds,
  type ImportedTasks,
  type ImportFile,
} from './importedTasks.js';

/** The `items.json` of each folder of a benchmark that comes split. */
export interface SplitFolder {
  readonly train: ImportFile | undefined;
  readonly val: ImportFile | undefined;
  readonly test: ImportFile | undefined;
}

/** Under which names such benchmarks keep what a task needs, the likeliest first. */
const names = {
  id: ['id', 'task_id', 'qid', 'uid'],
  prompt: ['prompt', 'question', 'task', 'intent', 'instruction', 'task_description', 'problem', 'query'],
  answers: ['answers', 'answer', 'reference', 'ground_truth', 'gold', 'expected_output', 'target'],
  context: ['context', 'passage', 'reference_text', 'document'],
  tag: ['task_type', 'category', 'type'],
} as const;

/** Reads train, val and test items; each is explicitly on the side of its folder. */
export function readSplitFolder({ train, val, test }: SplitFolder): ImportedTasks {
  const notes = new Notes();
  const tasks = [
    ...itemsOf(train, 'training', notes),
    ...itemsOf(val, 'heldOut', notes),
    ...itemsOf(test, 'sealed', notes),
  ];
  return { tasks: withDistinctIds(tasks, notes), notes: notes.all };
}

/** Reads one list of such items that nobody split yet. */
export function readItems(file: ImportFile): ImportedTasks {
  const notes = new Notes();
  return { tasks: withDistinctIds(itemsOf(file, undefined, notes), notes), notes: notes.all };
}

function itemsOf(file: ImportFile | undefined, side: Side | undefined, notes: Notes): readonly TaskSource[] {
  if (file === undefined) return [];
  const parsed = z.array(z.record(z.string(), z.unknown())).safeParse(parseImport(file.text, file.path));
  if (!parsed.success) throw malformedImport(file.path, 'It is not a list of tasks.', parsed.error);
  return parsed.data.flatMap((item, index) => {
    const task = taskOf(item, { index, side }, notes);
    if (task === undefined) {
      notes.refused(`item ${index + 1}`, `Item ${index + 1} needs “prompt” and “expectations”, or “answers”.`);
      return [];
    }
    return [{ ...task, assigned: side ?? task.assigned }];
  });
}

function taskOf(
  item: Readonly<Record<string, unknown>>,
  { index, side }: { readonly index: number; readonly side: Side | undefined },
  notes: Notes,
): TaskSource | undefined {
  const fields = new Map(Object.entries(item));
  const fallbackId = `${side ?? 'item'}-${index + 1}`;
  const isPlain = fields.has('prompt') && (fields.has('expectations') || fields.has('assertions'));
  return isPlain ? plainTask(fields, { fallbackId }, notes) : itemTask(item, fallbackId, notes);
}

function itemTask(item: Readonly<Record<string, unknown>>, fallbackId: string, notes: Notes): TaskSource | undefined {
  const prompt = firstOf(item, names.prompt, (value) =>
    typeof value === 'string' && value.trim() !== '' ? value : undefined,
  );
  if (prompt === undefined) return undefined;
  const id = firstOf(item, names.id, textOf) ?? { field: '', value: fallbackId };
  const answers = firstOf(item, names.answers, answersOf);
  const context = firstOf(item, names.context, textOf);
  const tag = firstOf(item, names.tag, textOf);
  const read = [id, prompt, answers, context, tag].flatMap((found) => (found === undefined ? [] : [found.field]));
  notes.unread(id.value, item, read);
  if (answers === undefined)
    notes.noEqual(id.value, 'answers', 'Nothing says what a good answer is. Write a check for this task.');
  return {
    id: id.value,
    prompt: prompt.value,
    context: context?.value,
    references: answers?.value ?? [],
    checks: answers === undefined ? [] : [{ check: 'exact', hidden: false, arguments: {} }],
    tags: tag === undefined ? [] : [tag.value],
  };
}

function firstOf<T>(
  item: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  read: (value: unknown) => T | undefined,
): { readonly field: string; readonly value: T } | undefined {
  for (const field of fields) {
    const value = Object.hasOwn(item, field) ? read(item[field]) : undefined;
    if (value !== undefined) return { field, value };
  }
  return undefined;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function answersOf(value: unknown): readonly string[] | undefined {
  const texts = (Array.isArray(value) ? value : [value]).map(textOf).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts;
}
