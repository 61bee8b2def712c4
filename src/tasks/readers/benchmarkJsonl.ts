import * as z from 'zod';
import { isPlain, plainTask, fieldsOf } from '../imports/plainTask.js';
import type { TaskSource } from '../makeTask.js';
import type { CheckSpec, Side } from '../task.js';
import { Notes, readJson, withDistinctIds, type ImportedTasks, type ImportFile } from './importedTasks.js';
import { isQuestion, itemTask } from './itemTask.js';
import { checksOf, stubToolsFor } from './ruleChecks.js';

const benchmarkTask = z.looseObject({
  task_id: z.union([z.string().min(1), z.int()]),
  task: z.string().regex(/\S/),
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
 * Reads one JSON object a line, `{prompt, expectations}`, a task of a benchmark or an item with a question and answers, and
 * the held-out file that may lie beside it. A line that is none of them is reported and stops no other. Lines that begin with `#` are remarks; a remark that
 * the file awaits review makes drafts of its tasks.
 */
export function readBenchmarkJsonl(file: ImportFile, heldOut: ImportFile | undefined): ImportedTasks {
  const notes = new Notes();
  const tasks = [
    ...readLines(file, { side: heldOut === undefined ? undefined : 'training', notes }),
    ...(heldOut === undefined ? [] : readLines(heldOut, { side: 'heldOut', notes })),
  ];
  return { tasks: withDistinctIds(tasks, notes), notes: notes.all };
}

/** The tasks of such lines. */
export function readLines(
  { path, text }: ImportFile,
  { side, notes }: { readonly side: Side | undefined; readonly notes: Notes },
): readonly TaskSource[] {
  const lines = text.replace(/^\uFEFF/u, '').split(/\r?\n/u);
  const draft = lines.some((line) => /^\s*#.*pending.?review/iu.test(line));
  if (draft) notes.changed(undefined, path, 'The file awaits review: its tasks come as drafts.');
  return lines.flatMap((line, index) => {
    if (line.trim() === '' || line.trimStart().startsWith('#')) return [];
    return readLine(line, index + 1, notes).map((task) => ({ ...task, assigned: side ?? task.assigned, draft }));
  });
}

function readLine(line: string, number: number, notes: Notes): readonly TaskSource[] {
  const read = readJson(line);
  if (!('value' in read)) {
    const why = read.why === 'syntax' ? `Line ${number} is not valid JSON.` : `Line ${number} is nested too deeply.`;
    notes.refused(`line ${number}`, why);
    return [];
  }
  const task = taskIn(read.value, `line-${number}`, notes);
  if (task !== undefined) return [task];
  notes.refused(
    `line ${number}`,
    `Line ${number} needs “prompt” and “expectations”, “task_id” and “task”, or “question” and “answers”.`,
  );
  return [];
}

function taskIn(value: unknown, fallbackId: string, notes: Notes): TaskSource | undefined {
  const fields = fieldsOf(value);
  const plain = fields !== undefined && isPlain(fields) ? plainTask(fields, { fallbackId }, notes) : undefined;
  if (plain !== undefined || fields === undefined) return plain;
  const parsed = benchmarkTask.safeParse(value);
  if (parsed.success) return benchmarkSource(parsed.data, notes);
  const item = Object.fromEntries(fields);
  return isQuestion(item) ? itemTask(item, fallbackId, notes) : undefined;
}

function benchmarkSource(entry: BenchmarkTask, notes: Notes): TaskSource {
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
