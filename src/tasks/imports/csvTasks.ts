import { Notes, withDistinctIds, type ImportedTasks, type ImportFile } from '../readers/importedTasks.js';
import type { TaskSource } from '../makeTask.js';
import type { CheckSpec } from '../task.js';
import { checksOfAssertion } from './assertions.js';
import { readCsv, type CsvRow } from './csv.js';
import { plainTask, type Fields } from './plainTask.js';

/** Under which headings a table keeps what is asked. */
const promptNames = ['prompt', 'question', 'task', 'input', 'instruction', 'query'];

/** Reads a table with a header row: one task a row. Columns `__expected` hold assertions as promptfoo writes them. */
export function readCsvTasks({ path, text }: ImportFile): ImportedTasks {
  const notes = new Notes();
  const csv = readCsv(text);
  const [header, ...rows] = csv.rows;
  if (csv.kind === 'unclosed') notes.refused(path, `Line ${csv.line} opens a quotation mark that is never closed.`);
  const names = (header?.cells ?? []).map((name) => name.trim());
  const prompt = names.find((name) => promptNames.includes(name.toLowerCase()));
  if (prompt === undefined) {
    if (header !== undefined) notes.refused(path, 'Line 1 needs a column “prompt” and a column “expectations”.');
    return { tasks: [], notes: notes.all };
  }
  const tasks = rows.flatMap((row, index) => taskOf(row, { names, prompt, index }, notes));
  return { tasks: withDistinctIds(tasks, notes), notes: notes.all };
}

function taskOf(
  { line, cells }: CsvRow,
  { names, prompt, index }: { readonly names: readonly string[]; readonly prompt: string; readonly index: number },
  notes: Notes,
): readonly TaskSource[] {
  const where = `line ${line}`;
  if (cells.length > names.length) {
    notes.refused(
      where,
      `Line ${line} has more fields than the header row. Put quotation marks around a text with a separator in it.`,
    );
    return [];
  }
  const id = `row-${index + 1}`;
  const cellsByName = new Map(names.map((name, at) => [name, cells[at] ?? '']));
  const checks = [...cellsByName].flatMap(([name, cell]) =>
    isAssertion(name) ? checksIn(cell, { id, name }, notes) : [],
  );
  const fields: Fields = new Map([
    ...[...cellsByName].filter(([name]) => !isAssertion(name) && name !== prompt),
    ['prompt', cellsByName.get(prompt)],
  ]);
  const task = plainTask(fields, { fallbackId: id, checks }, notes);
  if (task !== undefined) return [task];
  notes.refused(where, `Line ${line} needs a prompt and something that is expected of the answer.`);
  return [];
}

function isAssertion(name: string): boolean {
  return /^__expected\d*$/u.test(name);
}

function checksIn(
  cell: string,
  { id, name }: { readonly id: string; readonly name: string },
  notes: Notes,
): readonly CheckSpec[] {
  if (cell.trim() === '') return [];
  const { type, value, threshold } = assertionIn(cell.trim());
  const isList = /-(?:all|any)$/u.test(type);
  const values = isList ? value.split(',').map((part) => part.trim()) : value;
  const checks = checksOfAssertion(type === 'grade' ? 'llm-rubric' : type, values, threshold);
  if (checks === undefined) notes.noEqual(id, name, `There is no check like “${type}”. The task is judged without it.`);
  return checks ?? [];
}

/** `contains: Paris`, `llm-rubric(0.6): …`, `is-json`; without a type the answer is expected to equal it. */
function assertionIn(said: string): {
  readonly type: string;
  readonly value: string;
  readonly threshold: number | undefined;
} {
  if (/^(?:not-)?is-[a-z]+$/u.test(said)) return { type: said, value: '', threshold: undefined };
  const match = /^([a-z][a-z-]*)(?:\(([\d.]+)\))?\s*:\s*([\s\S]+)$/u.exec(said);
  if (match === null) return { type: 'equals', value: said, threshold: undefined };
  const [, type = '', threshold, value = ''] = match;
  return { type, value, threshold: threshold === undefined ? undefined : Number(threshold) };
}
