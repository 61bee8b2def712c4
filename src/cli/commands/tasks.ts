import path from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../errors.js';
import type { SkillOverview } from '../../app/results/overview.js';
import { skillRequest, withModelOptions, type CliContext, type ModelOptions } from '../commandLine.js';
import { importText, listText, splitText, taskRows } from '../taskText.js';

interface Options {
  readonly json?: boolean;
  readonly root?: string;
}

/** `whetstone tasks list|split|import|draft|add|confirm|enable|disable|remove`. */
export function addTasks(program: Command, face: CliContext): void {
  const tasks = program.command('tasks').description('the tasks that a skill is judged by');
  for (const add of [addList, addSplit, addImport, addDraft, addAdd, addChanges]) add(tasks, face);
}

function skillCommand(tasks: Command, name: string): Command {
  return tasks
    .command(name)
    .argument('<skill>', 'a SKILL.md, or the folder that holds one')
    .option('--json', 'print one JSON object instead of text')
    .option('--root <folder>', 'the folder whose .whetstone holds the split');
}

function addList(tasks: Command, face: CliContext): void {
  skillCommand(tasks, 'list')
    .description('every task with its side and its checks, and what is wrong with any')
    .action(async (skill: string, options: Options) => {
      const found = await tasksOf(face, skill, options);
      print(face, options, { tasks: taskRows(found), problems: problemRows(found) }, () =>
        listText(taskRows(found), found.problems),
      );
    });
}

function addSplit(tasks: Command, face: CliContext): void {
  skillCommand(tasks, 'split')
    .description('how many tasks are on each side of the split, which ones, and why any is set aside')
    .action(async (skill: string, options: Options) => {
      const found = await tasksOf(face, skill, options);
      const json = {
        training: found.training.map(idOf),
        heldOut: found.heldOut.map(idOf),
        sealed: found.sealed.map(idOf),
        setAside: found.setAside.map(({ task, reason }) => ({ id: task.id, reason })),
        problems: problemRows(found),
      };
      print(face, options, json, () => splitText(found));
    });
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

type Tasks = NonNullable<SkillOverview['tasks']>;

async function tasksOf(face: CliContext, skill: string, options: Options): Promise<Tasks> {
  const { tasks, trouble } = await face.open({}).overview(skillRequest(face, skill, options), face.signal);
  if (tasks !== undefined) return tasks;
  const none = trouble === undefined || trouble.startsWith('No tasks yet');
  const cure = none
    ? `Run “whetstone tasks draft ${skill}”, or write evals/evals.json.`
    : 'Correct it, then try again.';
  throw new UserError(none ? 'tasks-missing' : 'tasks-malformed', trouble ?? 'There are no tasks.', cure);
}

function problemRows({ problems }: Tasks): readonly unknown[] {
  return problems.map(({ severity, code, message, taskId, place }) => ({
    severity,
    code,
    message,
    task: taskId ?? null,
    file: place.path,
    line: place.start.line,
    column: place.start.column,
  }));
}

function addImport(tasks: Command, face: CliContext): void {
  skillCommand(tasks, 'import')
    .argument(
      '<source>',
      'a benchmark .jsonl, a .json of SkillOpt-Sleep tasks or of items, or a folder with train/val/test',
    )
    .option('--held-out <file>', 'a separate .jsonl of held-out tasks')
    .option('--ratio <ratio>', 'assign sides by a ratio of training, held-out and sealed, such as 2:1:7')
    .description('bring in tasks of another tool; every field without an equal is reported')
    .action(
      async (
        skill: string,
        source: string,
        options: Options & { readonly heldOut?: string; readonly ratio?: string },
      ) => {
        const from = (file: string): string => path.resolve(face.cwd, file);
        const heldOut = options.heldOut === undefined ? undefined : from(options.heldOut);
        const request = {
          ...skillRequest(face, skill, options),
          source: { path: from(source), heldOut, ratio: options.ratio },
        };
        const result = await face.open({}).importTasks(request, face.signal);
        print(face, options, result, () => importText(result));
      },
    );
}

function addDraft(tasks: Command, face: CliContext): void {
  withModelOptions(skillCommand(tasks, 'draft'))
    .option('--count <number>', 'how many, from 1 to 99', '8')
    .description('let the optimizer model draft tasks with checks; drafts count for nothing until confirmed')
    .action(async (skill: string, options: Options & ModelOptions & { readonly count: string }) => {
      const request = { ...skillRequest(face, skill, options), count: countOf(options.count), trusted: true };
      const ids = await face.open(options).draftTasks(request, face.signal);
      print(
        face,
        options,
        { drafted: ids },
        () =>
          `Drafted: ${ids.join(', ')}.\nLook at them in evals/, then “whetstone tasks confirm ${skill} <id>...”, or --all.`,
      );
    });
}

function nothingNamed({ drafts }: Tasks): UserError {
  return drafts.length === 0
    ? new UserError('usage', 'This skill has no drafts to confirm.', 'Draft tasks for it first.')
    : new UserError(
        'usage',
        'No task was named.',
        `Name some of: ${drafts.map(({ id }) => id).join(', ')}; or use --all.`,
      );
}

function countOf(text: string): number {
  if (/^[1-9]\d?$/u.test(text)) return Number(text);
  throw new UserError('usage', `“${text}” is not a number of tasks.`, 'Give a number from 1 to 99.');
}

function addAdd(tasks: Command, face: CliContext): void {
  skillCommand(tasks, 'add')
    .requiredOption('--id <id>', 'a name for the task')
    .requiredOption('--prompt <text>', 'what a person would ask')
    .requiredOption('--expect <text...>', 'what a good answer must do, one sentence each')
    .description('add a task with expectations; checks by rule are written in evals/whetstone.json')
    .action(
      async (
        skill: string,
        options: Options & { readonly id: string; readonly prompt: string; readonly expect: readonly string[] },
      ) => {
        const task = { id: options.id.trim(), prompt: options.prompt, expectations: options.expect };
        if ([task.id, task.prompt, ...task.expectations].some((text) => text.trim() === ''))
          throw new UserError('usage', 'A name, a prompt or an expectation is empty.', 'Give each of them some words.');
        const request = { ...skillRequest(face, skill, options), change: { kind: 'add' as const, tasks: [task] } };
        await face.open({}).changeTasks(request, face.signal);
        print(face, options, { added: [task.id] }, () => `Added: ${task.id}.`);
      },
    );
}

function addChanges(tasks: Command, face: CliContext): void {
  const kinds = {
    confirm: 'make a draft count',
    enable: 'let a task count again',
    disable: 'leave a task out for now',
    remove: 'delete a task',
  } as const;
  for (const kind of ['confirm', 'enable', 'disable', 'remove'] as const) {
    const command = skillCommand(tasks, kind)
      .argument(kind === 'confirm' ? '[ids...]' : '<ids...>', 'the tasks')
      .description(kinds[kind]);
    if (kind === 'confirm') command.option('--all', 'every draft of the skill');
    command.action(async (skill: string, named: readonly string[], options: Options & { readonly all?: boolean }) => {
      const useCases = face.open({});
      const known = await tasksOf(face, skill, options);
      const ids = options.all === true ? known.drafts.map(({ id }) => id) : named;
      if (ids.length === 0) throw nothingNamed(known);
      refuseUnknown(ids, known);
      for (const id of new Set(ids))
        await useCases.changeTasks({ ...skillRequest(face, skill, options), change: { kind, id } }, face.signal);
      print(face, options, { [kind]: ids }, () => `Done: ${ids.join(', ')}.`);
    });
  }
}

/** All or nothing: half of a list of changes is worse than none. */
function refuseUnknown(ids: readonly string[], tasks: Tasks): void {
  const known = taskRows(tasks).map((row) => row.id);
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length === 0) return;
  const cure = known.length === 0 ? 'There are none yet.' : `The tasks are: ${known.join(', ')}.`;
  throw new UserError('usage', `There is no task ${unknown.map((id) => `“${id}”`).join(', ')}.`, cure);
}

function print(face: CliContext, options: Options, json: unknown, text: () => string): void {
  if (options.json === true) face.terminal.json(json);
  else face.terminal.out(`${text()}\n`);
}
