import { fieldFaults } from '../fieldFaults.js';
import { evalEntry, expectationsOf, type EvalEntry } from './evalsFile.js';
import { memberOf, valueOf, type JsonNode } from '../json/jsonTree.js';
import { publicHashOf } from '../makeTask.js';
import { mapInSteps, type Steps } from '../steps.js';
import type { Task } from '../task.js';
import { refuseTooMany, schemaProblems, TasksMalformedError, type TaskFile } from '../taskFile.js';
import type { TaskProblem } from '../taskProblem.js';

/** One example of `evals.json`, or of the separate held-out file. */
export interface EvalRow {
  readonly id: string;
  readonly part: Pick<Task, 'prompt' | 'expectedOutput' | 'files' | 'expectations'>;
  readonly publicHash: string;
  readonly heldOut: boolean;
  readonly file: TaskFile;
  readonly node: JsonNode;
}

export interface EvalRows {
  readonly rows: readonly EvalRow[];
  readonly problems: readonly TaskProblem[];
}

/** Reads each entry by itself: one that is wrong is a problem, and the others still count. */
export function* readEvals(file: TaskFile, options: { readonly heldOut: boolean }): Steps<EvalRows> {
  const evals = memberOf(file.root, 'evals')?.value;
  if (evals?.kind !== 'array') {
    throw new TasksMalformedError('expected an object with a list named “evals”', file.placeOf(evals ?? file.root));
  }
  refuseTooMany(file, evals, evals.items.length);
  const rows: EvalRow[] = [];
  const problems: TaskProblem[] = [];
  yield* mapInSteps(evals.items, (node) => {
    const value = valueOf(node);
    const parsed = evalEntry.safeParse(value);
    if (parsed.success) rows.push(rowOf(parsed.data, { file, node, heldOut: options.heldOut }));
    else problems.push(...schemaProblems(file, node, fieldFaults(evalEntry, value, parsed), idOf(node)));
  });
  return { rows, problems };
}

/** Splits off the rows whose id an earlier row has: which of them the checks belong to, nobody can say. */
export function withoutDuplicates(rows: readonly EvalRow[]): EvalRows {
  const first = new Map<string, EvalRow>();
  const problems: TaskProblem[] = [];
  for (const row of rows) {
    const earlier = first.get(row.id);
    if (earlier === undefined) first.set(row.id, row);
    else problems.push(duplicateProblem(row, earlier));
  }
  return { rows: [...first.values()], problems };
}

function rowOf(entry: EvalEntry, rest: Pick<EvalRow, 'file' | 'node' | 'heldOut'>): EvalRow {
  const part = {
    prompt: entry.prompt,
    expectedOutput: entry.expected_output?.trim() ? entry.expected_output : undefined,
    files: entry.files ?? [],
    expectations: expectationsOf(entry),
  };
  return { id: String(entry.id), part, publicHash: publicHashOf(part), ...rest };
}

function idOf(node: JsonNode): string | undefined {
  const id = memberOf(node, 'id')?.value;
  return id?.kind === 'scalar' && id.value !== null ? String(id.value) : undefined;
}

function duplicateProblem(row: EvalRow, earlier: EvalRow): TaskProblem {
  const place = row.file.placeOf(memberOf(row.node, 'id')?.value ?? row.node);
  const { path, start } = earlier.file.placeOf(earlier.node);
  const where = row.file === earlier.file ? `line ${start.line}` : `${path}, line ${start.line}`;
  return {
    severity: 'error',
    code: 'duplicate-id',
    message: `Another task has the id “${row.id}” (${where}). This one is left out.`,
    taskId: row.id,
    place,
  };
}
