import type { TaskSource } from '../makeTask.js';
import type { CheckSpec, Side } from '../task.js';
import { sideNamedBy } from '../sideNames.js';
import type { Notes } from '../readers/importedTasks.js';

/** What a line, an item or a row says, under whatever name: read by own keys alone, so that `__proto__` is a name like any. */
export type Fields = ReadonlyMap<string, unknown>;

/** The fields of a value; undefined for what is no object. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Map(Object.entries(value))
    : undefined;
}

const plainNames = {
  id: ['id', 'task_id'],
  prompt: ['prompt'],
  expectations: ['expectations', 'expectation', 'assertions'],
  expected: ['expected_output', 'expected', 'expectedoutput'],
  answers: ['answers', 'answer', 'reference', 'references'],
  context: ['context'],
  tags: ['tags', 'tag'],
  side: ['side', 'split'],
} as const;

/** Whether the fields are those of a plain task, well-formed or not. */
export function isPlain(fields: Fields): boolean {
  return fields.has('prompt');
}

/**
 * A task as `{prompt, expectations}` with a few more names. Undefined where it does not say what to do, or not what is
 * expected: nothing could fail it.
 */
export function plainTask(
  fields: Fields,
  { fallbackId, checks = [] }: { readonly fallbackId: string; readonly checks?: readonly CheckSpec[] },
  notes: Notes,
): TaskSource | undefined {
  const found = (names: readonly string[]): readonly [string, unknown] | undefined =>
    [...fields].find(([name, value]) => names.includes(name.trim().toLowerCase()) && textsOf(value).length > 0);
  const texts = (names: readonly string[]): readonly string[] => textsOf(found(names)?.[1]);
  const [prompt] = texts(plainNames.prompt);
  const expectations = texts(plainNames.expectations).flatMap(linesOf);
  const [expectedOutput] = texts(plainNames.expected);
  const references = texts(plainNames.answers);
  const yardsticks = expectations.length + references.length + checks.length + (expectedOutput === undefined ? 0 : 1);
  if (prompt === undefined || yardsticks === 0) return undefined;
  const id = texts(plainNames.id)[0] ?? fallbackId;
  const read = Object.values(plainNames).flatMap((names) => found(names)?.[0] ?? []);
  notes.unread(id, Object.fromEntries(fields), read);
  return {
    id,
    prompt,
    expectations,
    expectedOutput,
    references,
    checks: [...(references.length === 0 ? [] : [statesTheAnswer]), ...checks],
    context: texts(plainNames.context)[0],
    tags: texts(plainNames.tags).flatMap(tagsIn),
    assigned: sideOf(texts(plainNames.side)[0], id, notes),
  };
}

function tagsIn(text: string): readonly string[] {
  return text
    .split(/[,;|]/u)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

const statesTheAnswer: CheckSpec = { check: 'exact', hidden: false, arguments: { match: 'within' } };

/** The side that a field of a foreign task names; one that is none is reported. */
export function sideOf(named: string | undefined, id: string, notes: Notes): Side | undefined {
  const side = named === undefined ? undefined : sideNamedBy(named);
  if (named !== undefined && side === undefined) notes.noEqual(id, 'split', `There is no side called “${named}”.`);
  return side;
}

/** The texts in a value: one, or a list of them; blank ones and what is no text are none. */
export function textsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
    const text = typeof one === 'number' || typeof one === 'boolean' ? String(one) : one;
    return typeof text === 'string' && text.trim() !== '' ? [text] : [];
  });
}

/** Several expectations in one cell stand on lines of their own, or between upright strokes. */
function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n| \| /u)
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/u, '').trim())
    .filter((line) => line !== '');
}
