import path from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../../errors.js';
import { runCaps, skillRequest, withModelOptions, type CliContext, type ModelOptions } from '../../commandLine.js';
import { openToSpend } from '../../askCosts.js';
import { confirmSpend } from '../../confirmSpend.js';
import { exampleText, importText, listText, splitText, taskRows } from '../../taskText.js';
import { addChanges, addMove, addShow, sideNamed } from './taskChanges.js';
import { print, taskCommand, tasksOf, type TaskOptions, type Tasks } from './taskCommand.js';
import { exactText } from '../../../wording/shownText.js';
import { oneLine } from '../../terminal.js';

/** `whetstone tasks list|show|split|import|draft|add|confirm|enable|disable|remove|move`. */
export function addTasks(program: Command, face: CliContext): void {
  const tasks = program.command('tasks').description('the tasks that a skill is judged by');
  for (const add of [addList, addShow, addSplit, addImport, addDraft, addAdd, addChanges, addMove]) add(tasks, face);
}

function addList(tasks: Command, face: CliContext): void {
  taskCommand(tasks, 'list')
    .description('every task with its side and its checks, and what is wrong with any')
    .action(async (skill: string, options: TaskOptions) => {
      const found = await tasksOf(face, skill, options);
      const { broughtBy = [] } = found;
      const json = { tasks: taskRows(found), problems: problemRows(found), broughtBy };
      print(face, options, json, () => listText(taskRows(found), found));
    });
}

function addSplit(tasks: Command, face: CliContext): void {
  taskCommand(tasks, 'split')
    .description('how many tasks are on each side of the split, which ones, and why any is set aside')
    .action(async (skill: string, options: TaskOptions) => {
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
  taskCommand(tasks, 'import')
    .argument(
      '<source>',
      'JSON lines, JSON, CSV, promptfoo tests or an eval.yaml of Waza, or a folder with train/val/test',
    )
    .option('--held-out <file>', 'a separate .jsonl of held-out tasks')
    .option('--ratio <ratio>', 'assign sides by a ratio of training, held-out and sealed, such as 2:1:7')
    .description('bring in tasks of another tool; every field without an equal is reported')
    .addHelpText('after', exampleText)
    .action(
      async (
        skill: string,
        source: string,
        options: TaskOptions & { readonly heldOut?: string; readonly ratio?: string },
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

interface DraftOptions extends TaskOptions, ModelOptions {
  readonly count: string;
  readonly yes?: boolean;
}

function addDraft(tasks: Command, face: CliContext): void {
  withModelOptions(taskCommand(tasks, 'draft'))
    .option('--count <number>', 'how many, from 1 to 99', '8')
    .option('--yes', 'begin without asking, whatever it may cost')
    .description('let the optimizer model draft tasks with checks; confirm the good ones to use them')
    .action(async (skill: string, options: DraftOptions) => {
      const wish = { count: countOf(options.count), trusted: true, caps: runCaps(options) };
      const request = { ...skillRequest(face, skill, options), ...wish };
      const useCases = await openToSpend(face, options);
      const size = await useCases.draftSize(request, face.signal);
      await useCases.reachModels(face.signal); // nobody is asked about a server that is not there
      await confirmSpend(face, size, options);
      const ids = await useCases.draftTasks(request, face.signal);
      print(
        face,
        options,
        { drafted: ids },
        () =>
          `${oneLine(`Drafted: ${ids.join(', ')}.`)}\nLook at them in evals/, then “whetstone tasks confirm ${exactText(skill)} <id>...”, or --all.`,
      );
    });
}

function countOf(text: string): number {
  if (/^[1-9]\d?$/u.test(text)) return Number(text);
  throw new UserError('usage', `“${text}” is not a number of tasks.`, 'Give a number from 1 to 99.');
}

function addAdd(tasks: Command, face: CliContext): void {
  taskCommand(tasks, 'add')
    .requiredOption('--id <id>', 'a name for the task')
    .requiredOption('--prompt <text>', 'what a person would ask')
    .requiredOption('--expect <text...>', 'what a good answer must do, one sentence each')
    .option('--side <side>', 'training, held-out or sealed; without it the split decides')
    .description('add a task with expectations; checks by rule are written in evals/whetstone.json')
    .action(
      async (
        skill: string,
        options: TaskOptions & {
          readonly id: string;
          readonly prompt: string;
          readonly expect: readonly string[];
          readonly side?: string;
        },
      ) => {
        const named = { id: options.id.trim(), prompt: options.prompt, expectations: options.expect };
        const task = options.side === undefined ? named : { ...named, assigned: sideNamed(options.side) };
        if ([task.id, task.prompt, ...task.expectations].some((text) => text.trim() === ''))
          throw new UserError('usage', 'A name, a prompt or an expectation is empty.', 'Give each of them some words.');
        const request = { ...skillRequest(face, skill, options), change: { kind: 'add' as const, tasks: [task] } };
        await face.open({}).changeTasks(request, face.signal);
        print(face, options, { added: [task.id] }, () => oneLine(`Added: ${task.id}.`));
      },
    );
}
