import type { Command } from 'commander';
import type { Task } from '../../tasks/task.js';
import type { SkillOverview } from '../../workshop/workshop.js';
import { UserError } from '../../errors.js';
import { skillRequest, withModelOptions, type Face, type ModelOptions } from '../commandLine.js';
import { table } from '../table.js';
import { harmless } from '../terminal.js';

interface Options {
  readonly json?: boolean;
  readonly root?: string;
}

/** `whetstone tasks list|split|import|draft|confirm|enable|disable`. */
export function addTasks(program: Command, face: Face): void {
  const tasks = program.command('tasks').description('the tasks that a skill is judged by');
  for (const add of [addList, addImport, addDraft, addChanges]) add(tasks, face);
}

function skillCommand(tasks: Command, name: string): Command {
  return tasks
    .command(name)
    .argument('<skill>', 'a SKILL.md, or the folder that holds one')
    .option('--json', 'print one JSON object instead of text')
    .option('--root <folder>', 'the folder whose .whetstone holds the split');
}

function addList(tasks: Command, face: Face): void {
  const show = async (skill: string, options: Options): Promise<void> => {
    const overview = await face.open({}).overview(skillRequest(face, skill, options), face.signal);
    if (overview.tasks === undefined)
      throw new UserError(
        'tasks-missing',
        overview.trouble ?? 'There are no tasks.',
        `Run “whetstone tasks draft ${skill}”, or write evals/evals.json.`,
      );
    const rows = rowsOf(overview.tasks);
    print(face, options, { tasks: rows, problems: overview.tasks.problems }, () =>
      listText(rows, overview.tasks?.problems ?? []),
    );
  };
  skillCommand(tasks, 'list')
    .description('every task with its side and its checks, and what is wrong with any')
    .action(show);
  skillCommand(tasks, 'split').description('which task is on which side, and which are set aside').action(show);
}

interface TaskRow {
  readonly id: string;
  readonly side: string;
  readonly checks: readonly string[];
  readonly tags: readonly string[];
  readonly prompt: string;
  readonly reason?: string;
}

function rowsOf(tasks: NonNullable<SkillOverview['tasks']>): readonly TaskRow[] {
  const row =
    (side: string) =>
    (task: Task): TaskRow => ({
      id: task.id,
      side,
      checks: [...task.checks.map(({ check }) => check), ...task.expectations.map(() => 'expectation')],
      tags: task.tags,
      prompt: task.prompt,
    });
  return [
    ...tasks.training.map(row('training')),
    ...tasks.heldOut.map(row('held-out')),
    ...tasks.sealed.map(row('sealed')),
    ...tasks.drafts.map(row('draft')),
    ...tasks.setAside.map(({ task, reason }) => ({ ...row('set aside')(task), reason })),
  ];
}

function listText(rows: readonly TaskRow[], problems: NonNullable<SkillOverview['tasks']>['problems']): string {
  const lines = rows.map(({ id, side, checks, prompt, reason }) => [
    id,
    side,
    checks.join(', '),
    harmless(reason ?? prompt)
      .replace(/\s+/g, ' ')
      .slice(0, 60),
  ]);
  const said = problems.map(
    (problem) => `${problem.severity}: ${problem.place.path}:${problem.place.start.line}: ${problem.message}`,
  );
  return [table(lines), ...(said.length === 0 ? [] : ['', ...said])].join('\n');
}

function addImport(tasks: Command, face: Face): void {
  skillCommand(tasks, 'import')
    .argument('<source>', 'a benchmark .jsonl, a SkillOpt-Sleep tasks .json, or a folder with train/val/test')
    .option('--held-out <file>', 'a separate .jsonl of held-out tasks')
    .option('--ratio <ratio>', 'assign sides by a ratio of training, held-out and sealed, such as 2:1:7')
    .description('bring in tasks of another tool; every field without an equal is reported')
    .action(
      async (
        skill: string,
        source: string,
        options: Options & { readonly heldOut?: string; readonly ratio?: string },
      ) => {
        const request = {
          ...skillRequest(face, skill, options),
          source: { path: source, heldOut: options.heldOut, ratio: options.ratio },
        };
        const result = await face.open({}).importTasks(request, face.signal);
        print(face, options, result, () =>
          [
            `${result.added} tasks were added.`,
            ...result.notes.map(({ taskId, field, message }) => `  ${taskId ?? 'file'}: ${field}: ${message}`),
          ].join('\n'),
        );
      },
    );
}

function addDraft(tasks: Command, face: Face): void {
  withModelOptions(skillCommand(tasks, 'draft'))
    .option('--count <number>', 'how many', '8')
    .description('let the optimizer model draft tasks with checks; drafts count for nothing until confirmed')
    .action(async (skill: string, options: Options & ModelOptions & { readonly count: string }) => {
      const request = { ...skillRequest(face, skill, options), count: Number(options.count), trusted: true };
      const ids = await face.open(options).draftTasks(request, face.signal);
      print(
        face,
        options,
        { drafted: ids },
        () => `Drafted: ${ids.join(', ')}. Look at them, then “whetstone tasks confirm ${skill} <id>”.`,
      );
    });
}

function addChanges(tasks: Command, face: Face): void {
  const kinds = {
    confirm: 'make a draft count',
    enable: 'let a task count again',
    disable: 'leave a task out for now',
    remove: 'delete a task',
  } as const;
  for (const kind of ['confirm', 'enable', 'disable', 'remove'] as const) {
    skillCommand(tasks, kind)
      .argument('<ids...>', 'the tasks')
      .description(kinds[kind])
      .action(async (skill: string, ids: readonly string[], options: Options) => {
        const workshop = face.open({});
        for (const id of ids)
          await workshop.changeTasks({ ...skillRequest(face, skill, options), change: { kind, id } }, face.signal);
        print(face, options, { [kind]: ids }, () => `Done: ${ids.join(', ')}.`);
      });
  }
}

function print(face: Face, options: Options, json: unknown, text: () => string): void {
  face.terminal.out(options.json === true ? `${JSON.stringify(json, undefined, 2)}\n` : `${text()}\n`);
}
