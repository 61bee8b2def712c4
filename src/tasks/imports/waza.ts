import { Notes, withDistinctIds, type ImportedTasks } from '../readers/importedTasks.js';
import { stubToolsFor } from '../readers/ruleChecks.js';
import type { TaskSource } from '../makeTask.js';
import type { CheckSpec } from '../task.js';
import { fieldsOf, textsOf, type Fields } from './plainTask.js';
import { checksOfGrader } from './wazaGraders.js';
import { containing, notContaining, spec } from './assertions.js';

/** A file of tasks that an `eval.yaml` of Waza names, parsed. */
export interface WazaFile {
  readonly path: string;
  readonly value: unknown;
}

/** Whether a value is an `eval.yaml` of Waza, or one of its task files. */
export function isWaza(value: unknown): boolean {
  const fields = fieldsOf(value);
  return (
    fields !== undefined &&
    (Array.isArray(fields.get('tasks')) || fieldsOf(fields.get('inputs'))?.has('prompt') === true)
  );
}

/** The patterns of task files that an `eval.yaml` names; what stands in it as a task is none. */
export function wazaTaskFiles(value: unknown): readonly string[] {
  const fields = fieldsOf(value);
  const tasks = fields?.get('tasks');
  const named = Array.isArray(tasks) ? tasks.flatMap((one: unknown) => (typeof one === 'string' ? [one] : [])) : [];
  return [...named, ...textsOf(fields?.get('tasks_from'))];
}

/** Reads an evaluation of Waza: the prompts of its tasks, and of its graders those that have a counterpart. */
export function readWaza(value: unknown, files: readonly WazaFile[]): ImportedTasks {
  const notes = new Notes();
  const suite = fieldsOf(value) ?? new Map<string, unknown>();
  const isOne = fieldsOf(suite.get('inputs')) !== undefined && !suite.has('tasks');
  const inline = isOne ? [{ where: 'task 1', value }] : inlineTasks(suite);
  const apart = files.flatMap(({ path, value: read }) => tasksIn(path, read));
  const graders = isOne ? [] : listOf(suite.get('graders'));
  if (!isOne && suite.has('hooks')) notes.noEqual(undefined, 'hooks', '“hooks” has no equal and is left behind.');
  const tasks = [...inline, ...apart].flatMap((one, index) => taskOf(one, { index, graders }, notes));
  return { tasks: withDistinctIds(tasks, notes), notes: notes.all };
}

interface FoundTask {
  readonly where: string;
  readonly value: unknown;
}

function inlineTasks(suite: Fields): readonly FoundTask[] {
  return listOf(suite.get('tasks')).flatMap((one, index) =>
    typeof one === 'string' ? [] : [{ where: `task ${index + 1}`, value: one }],
  );
}

/** One task a file, a list of them, or a mapping with `tasks`. */
function tasksIn(path: string, value: unknown): readonly FoundTask[] {
  const list = fieldsOf(value)?.get('tasks') ?? value;
  return listOf(list).map((one) => ({ where: path, value: one }));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

function taskOf(
  { where, value }: FoundTask,
  { index, graders }: { readonly index: number; readonly graders: readonly unknown[] },
  notes: Notes,
): readonly TaskSource[] {
  const fields = fieldsOf(value);
  const inputs = fieldsOf(fields?.get('inputs'));
  const [prompt] = textsOf(inputs?.get('prompt') ?? fields?.get('prompt'));
  if (fields === undefined || prompt === undefined) {
    notes.refused(where, `A task (${where}) needs “inputs” with a “prompt”.`);
    return [];
  }
  const id = textsOf(fields.get('id'))[0] ?? `task-${index + 1}`;
  const expected = fields.get('expected');
  const checks = [
    ...checksOfExpected(fieldsOf(expected), id, notes),
    ...[...graders, ...listOf(fields.get('graders')), ...listOf(fields.get('validators'))].flatMap((grader) =>
      checksOfGrader(grader, id, notes),
    ),
  ];
  const expectations = textsOf(expected);
  if (checks.length + expectations.length === 0)
    notes.noEqual(id, 'graders', 'Nothing is left to judge this task by. Write a check for it.');
  notes.unread(id, Object.fromEntries(fields), readFields);
  notes.unread(id, Object.fromEntries(inputs ?? []), ['prompt']);
  return [
    {
      id,
      prompt,
      expectations,
      checks,
      tools: stubToolsFor(checks, id, notes),
      tags: textsOf(fields.get('tags')),
      enabled: fields.get('enabled') !== false,
    },
  ];
}

const readFields = [
  'id',
  'name',
  'description',
  'enabled',
  'tags',
  'inputs',
  'prompt',
  'expected',
  'graders',
  'validators',
];

function checksOfExpected(expected: Fields | undefined, id: string, notes: Notes): readonly CheckSpec[] {
  if (expected === undefined) return [];
  const behavior = fieldsOf(expected.get('behavior'));
  notes.unread(id, Object.fromEntries(expected), ['output_contains', 'output_not_contains', 'behavior', 'outcomes']);
  notes.unread(id, Object.fromEntries(behavior ?? []), ['required_tools', 'forbidden_tools']);
  return [
    ...textsOf(expected.get('output_contains')).map((text) => containing(text, false)),
    ...textsOf(expected.get('output_not_contains')).map((text) => notContaining(text, false)),
    ...textsOf(behavior?.get('required_tools')).map((tool) => spec('tool_called', { tool })),
    ...textsOf(behavior?.get('forbidden_tools')).map((tool) => spec('tool_not_called', { tool })),
  ];
}
