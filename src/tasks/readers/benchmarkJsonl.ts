import * as z from 'zod';
import type { TaskSource } from '../makeTask.js';
import type { CheckSpec, Side } from '../task.js';
import {
  malformedImport,
  Notes,
  parseImport,
  withDistinctIds,
  type ImportedTasks,
  type ImportFile,
} from './importedTasks.js';
import { checksOf, stubToolsFor } from './ruleChecks.js';

const benchmarkTask = z.looseObject({
  task_id: z.union([z.string().min(1), z.int()]),
  task: z.string().regex(/\S/, 'must not be blank'),
  judge: z
    .looseObject({
      kind: z.string().optional(),
      checks: z.array(z.unknown()).optional(),
      rubric: z.string().optional(),
    })
    .optional(),
});

type BenchmarkTask = z.infer<typeof benchmarkTask>;

/**
 * Reads a benchmark of one JSON object a line, and the held-out file that may lie beside it. Lines that begin with `#`
 * are remarks; a remark that the file awaits review makes drafts of its tasks.
 */
export function readBenchmarkJsonl(file: ImportFile, heldOut: ImportFile | undefined): ImportedTasks {
  const notes = new Notes();
  const tasks = [
    ...readLines(file, { side: heldOut === undefined ? undefined : 'training', notes }),
    ...(heldOut === undefined ? [] : readLines(heldOut, { side: 'heldOut', notes })),
  ];
  return { tasks: withDistinctIds(tasks, notes), notes: notes.all };
}

function readLines(
  { path, text }: ImportFile,
  { side, notes }: { readonly side: Side | undefined; readonly notes: Notes },
): readonly TaskSource[] {
  const lines = text.replace(/^\uFEFF/u, '').split(/\r?\n/u);
  const draft = lines.some((line) => /^\s*#.*pending.?review/iu.test(line));
  if (draft) notes.changed(undefined, path, 'The file awaits review: its tasks come as drafts.');
  return lines.flatMap((line, index) => {
    if (line.trim() === '' || line.trimStart().startsWith('#')) return [];
    const parsed = benchmarkTask.safeParse(parseImport(line, path, `, line ${index + 1}`));
    if (!parsed.success)
      throw malformedImport(path, `, line ${index + 1}`, z.prettifyError(parsed.error), parsed.error);
    return [{ ...taskOf(parsed.data, notes), assigned: side, draft }];
  });
}

function taskOf(entry: BenchmarkTask, notes: Notes): TaskSource {
  const id = String(entry.task_id);
  const rules = checksOf(entry.judge?.checks ?? [], id, notes);
  const checks = [...rules, ...rubricOf(entry)];
  if (checks.length === 0) notes.noEqual(id, 'judge', 'Nothing is left to judge this task by. Write a check for it.');
  notes.unread(id, entry, ['task_id', 'task', 'judge']);
  noteJudge(entry, id, notes);
  return { id, prompt: entry.task, checks, tools: stubToolsFor(rules, id, notes) };
}

function rubricOf({ judge }: BenchmarkTask): readonly CheckSpec[] {
  const rubric = judge?.rubric?.trim() ?? '';
  return rubric === '' ? [] : [{ check: 'rubric', hidden: false, arguments: { rubric } }];
}

function noteJudge({ judge }: BenchmarkTask, id: string, notes: Notes): void {
  if (judge === undefined) return;
  const { kind, checks: _checks, rubric: _rubric, ...rest } = judge;
  if (kind !== undefined && !knownKinds.includes(kind)) {
    notes.noEqual(id, 'judge.kind', `There is no judge of the kind “${kind}”.`);
  }
  for (const name of Object.keys(rest)) {
    notes.noEqual(id, `judge.${name}`, `“${name}” has no equal and is left behind.`);
  }
}

const knownKinds = ['rule', 'rules', 'rubric', 'llm', 'judge'];
