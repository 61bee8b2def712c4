import path from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../../errors.js';
import { runCaps, skillRequest, withModelOptions, type CliContext, type ModelOptions } from '../../commandLine.js';
import { openToSpend } from '../../askCosts.js';
import { confirmSpend } from '../../confirmSpend.js';
import { exampleText, importText, listText, problemRows, splitText, taskRows } from '../../taskText.js';
import { skillWord } from '../../tasks/skillWord.js';
import { addChanges, addMove, addShow, sideNamed } from './taskChanges.js';
import { print, taskCommand, tasksOf, type TaskOptions } from './taskCommand.js';
import type { UseCases } from '../../../app/useCases.js';
import type { TaskSource } from '../../../tasks/makeTask.js';
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
      const json = { tasks: taskRows(found), problems: problemRows(found.problems), broughtBy };
      print(face, options, json, () => listText(taskRows(found), found, skillWord(skill, face.cwd)));
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
        problems: problemRows(found.problems),
      };
      print(face, options, json, () => splitText(found));
    });
}

function idOf({ id }: { readonly id: string }): string {
  return id;
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
          `${oneLine(`Drafted: ${ids.join(', ')}.`)}\nLook at them in evals/, then “whetstone tasks confirm ${exactText(skill)} <id>...”, or --all, which leaves out those to look at first.`,
      );
    });
}

function countOf(text: string): number {
  if (/^[1-9]\d?$/u.test(text)) return Number(text);
  throw new UserError('usage', `“${text}” is not a number of tasks.`, 'Give a number from 1 to 99.');
}

interface AddOptions extends TaskOptions, AgentOptions {
  readonly id: string;
  readonly prompt: string;
  readonly expect: readonly string[];
  readonly side?: string;
}

/** For a task that an agent works on; each is the field of that name, but for the last two, which are checks. */
interface AgentOptions {
  readonly fixture?: string;
  readonly commit?: string;
  readonly mode?: string;
  readonly program?: string;
  readonly maxTokens?: string;
  readonly maxTurns?: string;
  readonly minutes?: string;
  readonly changedFile?: string;
  readonly skillUsed?: boolean;
}

function addAdd(tasks: Command, face: CliContext): void {
  taskCommand(tasks, 'add')
    .requiredOption('--id <id>', 'a name for the task')
    .requiredOption('--prompt <text>', 'what a person would ask')
    .option('--expect <text...>', 'what a good answer must do, one sentence each; not needed beside a check', [])
    .option('--side <side>', 'training, held-out or sealed; without it the split decides')
    .option('--fixture <folder>', 'for an agent: the folder that it starts from, such as evals/fixtures/shop')
    .option('--commit <commit>', 'for an agent: this repository at a commit instead; “last” as it was last committed')
    .option('--mode <mode>', 'for an agent: the skill is offered (usual) or forced')
    .option('--program <name>', 'for an agent: the one program that it takes, such as claude-code')
    .option('--max-tokens <number>', 'for an agent: at most so many tokens an attempt')
    .option('--max-turns <number>', 'for an agent: at most so many calls to its model an attempt')
    .option('--minutes <number>', 'for an agent: at most so many minutes an attempt')
    .option('--changed-file <path>', 'for an agent: a file that it must add, change or delete (check file_changed)')
    .option('--skill-used', 'for an agent: an attempt that leaves the skill alone fails (check skill_used)')
    .description('add a task with expectations, for a chat or an agent; other checks stand in evals/whetstone.json')
    .action(async (skill: string, options: AddOptions) => {
      const named = { id: options.id.trim(), prompt: options.prompt, expectations: options.expect };
      const placed = options.side === undefined ? named : { ...named, assigned: sideNamed(options.side) };
      if ([placed.id, placed.prompt, ...placed.expectations].some((text) => text.trim() === ''))
        throw new UserError('usage', 'A name, a prompt or an expectation is empty.', 'Give each of them some words.');
      const request = skillRequest(face, skill, options);
      const useCases = face.open({});
      const wish = wishOf(options);
      const worked = wish && (await useCases.agentTask({ ...request, task: placed.id, wish }, face.signal));
      const task = { ...placed, ...worked };
      refuseUnfailing(task);
      await useCases.changeTasks({ ...request, change: { kind: 'add', tasks: [task] } }, face.signal);
      const { setAside } = await tasksOf(face, skill, options);
      const aside = setAside.find((each) => each.task.id === task.id)?.reason;
      print(face, options, { added: [task.id], ...(aside === undefined ? {} : { setAside: aside }) }, () =>
        oneLine(`Added: ${task.id}.${aside === undefined ? '' : ` It is set aside and counts for nothing: ${aside}`}`),
      );
    });
}

function refuseUnfailing({ expectations, checks = [] }: Pick<TaskSource, 'expectations' | 'checks'>): void {
  if ((expectations ?? []).length + checks.length > 0) return;
  throw new UserError(
    'usage',
    'A task that nothing can fail proves nothing.',
    'Give --expect, or for an agent --changed-file or --skill-used.',
  );
}

/** Undefined for a task that no agent works on. */
function wishOf({
  fixture,
  commit,
  skillUsed,
  mode,
  program,
  maxTokens,
  maxTurns,
  minutes,
  changedFile,
}: AgentOptions): Parameters<UseCases['agentTask']>[0]['wish'] | undefined {
  const how = { mode, program, maxTokens, maxTurns, minutes, changedFile, mustUseSkill: skillUsed };
  if (fixture !== undefined || commit !== undefined) return { fixture, commit, ...how };
  if (Object.values(how).every((value) => value === undefined)) return undefined;
  throw new UserError(
    'usage',
    'How an agent works was said, and not in which folder.',
    'Name it with --fixture, or this repository with --commit last.',
  );
}
