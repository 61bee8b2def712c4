import { plainTask, textsOf } from '../imports/plainTask.js';
import type { TaskSource } from '../makeTask.js';
import type { CheckSpec } from '../task.js';
import type { Notes } from './importedTasks.js';

type Item = Readonly<Record<string, unknown>>;

/** Under which names such benchmarks keep what a task needs, the likeliest first. */
const names = {
  id: ['id', 'task_id', 'qid', 'uid'],
  prompt: ['prompt', 'question', 'task', 'intent', 'instruction', 'task_description', 'problem', 'query'],
  answers: ['answers', 'answer', 'reference', 'ground_truth', 'gold', 'expected_output', 'target'],
  context: ['context', 'passage', 'reference_text', 'document'],
  tag: ['task_type', 'category', 'type'],
  expectations: ['expectations', 'assertions'],
} as const;

/**
 * One item of a benchmark: a question and what answers it, or a plain `{prompt, expectations}`. Undefined where it asks
 * nothing.
 */
export function itemTask(item: Item, fallbackId: string, notes: Notes): TaskSource | undefined {
  const fields = new Map(Object.entries(item));
  const isPlain = fields.has('prompt') && (fields.has('expectations') || fields.has('assertions'));
  return isPlain ? plainTask(fields, { fallbackId }, notes) : questionTask(item, fallbackId, notes);
}

/** Whether something is asked, and something says what the answer is. */
export function isQuestion(item: Item): boolean {
  return questionIn(item) !== undefined && firstOf(item, names.answers, answersOf) !== undefined;
}

/**
 * The items of a file: a list, a list under `data`, or an object of items by id, as the paper's loader takes them.
 * Undefined for anything else.
 */
export function itemsIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isItem(value)) return undefined;
  if (Array.isArray(value['data'])) return value['data'];
  const entries = Object.entries(value);
  const isById = entries.length > 0 && entries.every(([, item]) => isItem(item) && questionIn(item) !== undefined);
  return isById ? entries.map(([id, item]) => ({ id, ...(isItem(item) ? item : {}) })) : undefined;
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function questionIn(item: Item): ReturnType<typeof firstOf<string>> {
  return firstOf(item, names.prompt, (value) => (typeof value === 'string' && value.trim() !== '' ? value : undefined));
}

/** As the paper's QA environment judges: right where a reference stands anywhere in the answer. */
const standsAnywhere: CheckSpec = { check: 'exact', hidden: false, arguments: { match: 'substring' } };

function questionTask(item: Item, fallbackId: string, notes: Notes): TaskSource | undefined {
  const prompt = questionIn(item);
  if (prompt === undefined) return undefined;
  const id = firstOf(item, names.id, textOf) ?? { field: '', value: fallbackId };
  const answers = firstOf(item, names.answers, answersOf);
  const context = firstOf(item, names.context, textOf);
  const tag = firstOf(item, names.tag, textOf);
  const expectations = firstOf(item, names.expectations, textsOf) ?? { field: 'expectations', value: [] };
  const read = [id, prompt, answers, context, tag, expectations].flatMap((found) =>
    found === undefined ? [] : [found.field],
  );
  notes.unread(id.value, item, read);
  if (answers === undefined)
    notes.noEqual(id.value, 'answers', 'Nothing says what a good answer is. Write a check for this task.');
  return {
    id: id.value,
    prompt: prompt.value,
    context: context?.value,
    references: answers?.value ?? [],
    expectations: expectations.value,
    checks: answers === undefined ? [] : [standsAnywhere],
    tags: tag === undefined ? [] : [tag.value],
  };
}

function firstOf<T>(
  item: Item,
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
