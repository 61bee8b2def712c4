import type { Command } from 'commander';
import { UserError } from '../../../errors.js';
import { sideNamedBy } from '../../../tasks/sideNames.js';
import type { Side } from '../../../tasks/task.js';
import { skillRequest, type CliContext } from '../../commandLine.js';
import { isYes } from '../../consent.js';
import { draftNotes } from '../../tasks/draftMarks.js';
import { afterConfirming, waysToTasks } from '../../tasks/nextSteps.js';
import { skillWord } from '../../tasks/skillWord.js';
import { taskRows, taskText } from '../../taskText.js';
import { committedSentence } from '../../../wording/harvest/draftWords.js';
import { exactText, typedWord } from '../../../wording/shownText.js';
import { english } from '../../../wording/translate.js';
import { jsonText, oneLine } from '../../terminal.js';
import { print, taskCommand, tasksOf, type TaskOptions, type Tasks } from './taskCommand.js';

/** `whetstone tasks show`: one task as a person reads it. */
export function addShow(tasks: Command, face: CliContext): void {
  taskCommand(tasks, 'show')
    .argument('<id>', 'the task')
    .description('one task: what it asks, what an answer is judged by, where it counts, and its last answers')
    .action(async (skill: string, id: string, options: TaskOptions) => {
      refuseUnknown([id], await tasksOf(face, skill, options));
      const view = await face.open({}).showTask({ ...skillRequest(face, skill, options), task: id });
      print(face, options, { ...view, task: { ...view.task, contentHash: undefined } }, () => taskText(view));
    });
}

interface ChangeOptions extends TaskOptions {
  readonly all?: boolean;
  readonly yes?: boolean;
}

/** `whetstone tasks confirm|enable|disable|remove`. */
export function addChanges(tasks: Command, face: CliContext): void {
  const kinds = {
    confirm: 'make a draft count',
    enable: 'let a task count again',
    disable: 'leave a task out for now',
  } as const;
  for (const kind of ['confirm', 'enable', 'disable'] as const) {
    const command = taskCommand(tasks, kind)
      .argument(kind === 'confirm' ? '[ids...]' : '<ids...>', 'the tasks')
      .description(kinds[kind]);
    if (kind === 'confirm')
      command
        .option('--all', 'every draft of the skill but those to look at first')
        .option('--yes', 'write drafts out of your sessions to evals/ without asking');
    command.action(async (skill: string, named: readonly string[], options: ChangeOptions) => {
      const useCases = face.open({});
      const known = await tasksOf(face, skill, options);
      const ids = options.all === true ? confirmedTogether(known) : named;
      const word = skillWord(skill, face.cwd);
      if (ids.length === 0) throw nothingNamed(known, { skill: word, isAll: options.all === true });
      refuseUnknown(ids, known);
      if (kind === 'confirm') await agreeToCommit({ skill: word, ids, options }, known, face);
      for (const id of new Set(ids))
        await useCases.changeTasks({ ...skillRequest(face, skill, options), change: { kind, id } }, face.signal);
      print(face, options, { [kind]: ids }, () => oneLine(`Done: ${ids.join(', ')}.`));
      if (kind === 'confirm')
        tellNext({ skill: word, isAll: options.all === true }, await tasksOf(face, skill, options), face);
    });
  }
  addRemove(tasks, face);
}

/** A draft that carries instructions is confirmed by its name alone. */
function confirmedTogether({ drafts, onlySingly }: Tasks): readonly string[] {
  return drafts.map(({ id }) => id).filter((id) => onlySingly?.has(id) !== true);
}

/**
 * Words out of sessions stand in evals/ from then on, which is usually committed: that takes a yes, of the person at the
 * terminal or by `--yes`. Where nobody is there to say it nothing is written.
 */
async function agreeToCommit(
  { skill, ids, options }: ConfirmWish,
  { harvested, drafts }: Tasks,
  { terminal, signal }: CliContext,
): Promise<void> {
  const ours = drafts.filter(({ id }) => ids.includes(id) && harvested?.has(id) === true);
  if (ours.length === 0) return;
  terminal.err(`${[committedSentence(english), ...draftNotes(ours)].join('\n')}\n`);
  if (options.yes === true) return;
  terminal.err(`To look at one first: whetstone tasks show ${typedWord(skill)} ${exactText(ours[0]?.id ?? '<id>')}\n`);
  const { ask } = terminal;
  const question = ours.length === 1 ? 'Write 1 draft there?' : `Write ${ours.length} drafts there?`;
  if (ask !== undefined && isYes(await ask(`${question} (y/N) `, signal))) return;
  throw notConfirmed({ skill, ids, options }, ask !== undefined);
}

function notConfirmed({ skill, ids, options }: ConfirmWish, wasAsked: boolean): UserError {
  const which = options.all === true ? '--all' : exactText(ids.join(' '));
  const root = options.root === undefined ? '' : ` --root ${exactText(options.root)}`;
  return new UserError(
    'usage',
    wasAsked ? 'Nothing was confirmed.' : 'Nothing was confirmed: nobody is at the terminal to agree.',
    `They wait as they are. To write them: “whetstone tasks confirm ${typedWord(skill)} ${which}${root} --yes”.`,
  );
}

interface ConfirmWish {
  readonly skill: string;
  readonly ids: readonly string[];
  readonly options: ChangeOptions;
}

/** Which drafts are left, and what comes next. */
function tellNext(
  { skill, isAll }: { readonly skill: string; readonly isAll: boolean },
  tasks: Tasks,
  { terminal }: CliContext,
): void {
  const { drafts, onlySingly = new Set() } = tasks;
  const left = drafts.map(({ id }) => id).filter((id) => onlySingly.has(id));
  const looked =
    isAll && left.length > 0 ? [`Left for you to look at, and to confirm by name: ${left.join(', ')}.`] : [];
  for (const line of [...looked, ...afterConfirming(skill, tasks)]) terminal.err(`${oneLine(line)}\n`);
}

/** What is taken out is printed: whoever thinks better of it has it still. */
function addRemove(tasks: Command, face: CliContext): void {
  taskCommand(tasks, 'remove')
    .alias('delete')
    .argument('<ids...>', 'the tasks')
    .description('delete a task; what is taken out is printed')
    .action(async (skill: string, ids: readonly string[], options: TaskOptions) => {
      const useCases = face.open({});
      refuseUnknown(ids, await tasksOf(face, skill, options));
      const taken: string[] = [];
      for (const id of new Set(ids)) {
        const request = { ...skillRequest(face, skill, options), task: id };
        const { entry, whetstone } = await useCases.removeTask(request, face.signal);
        taken.push(...[entry, whetstone].filter((part) => part !== undefined).map((part) => jsonText(part)));
      }
      print(face, options, { remove: ids }, () =>
        [oneLine(`Done: ${ids.join(', ')}. Taken out:`), ...taken].join('\n'),
      );
    });
}

/** `whetstone tasks move`: a task that may not go there is refused, with the reason. */
export function addMove(tasks: Command, face: CliContext): void {
  taskCommand(tasks, 'move')
    .argument('<ids...>', 'the tasks')
    .requiredOption('--to <side>', 'training, held-out or sealed (train, val and test are the same)')
    .description('put tasks on another side: held-out takes what no run has learned from, sealed what no run has used')
    .action(async (skill: string, ids: readonly string[], options: TaskOptions & { readonly to: string }) => {
      const side = sideNamed(options.to);
      const useCases = face.open({});
      const known = await tasksOf(face, skill, options);
      refuseUnknown(ids, known);
      refuseAnyMove(ids, options.to, known);
      const moved = new Set<string>();
      for (const id of new Set(ids)) {
        if (moved.has(id)) continue;
        const request = { ...skillRequest(face, skill, options), task: id, side };
        for (const each of await useCases.moveTask(request, face.signal)) moved.add(each);
      }
      print(face, options, { moved: [...moved], to: options.to }, () => oneLine(`Moved: ${[...moved].join(', ')}.`));
    });
}

/** The side that a person names on the command line, in our words or in those of other tools. */
export function sideNamed(word: string): Side {
  const side = sideNamedBy(word);
  if (side !== undefined) return side;
  throw new UserError(
    'usage',
    `There is no side “${word}”.`,
    'The sides are: training, held-out, sealed. train, val and test mean the same.',
  );
}

/** All or nothing: half of a list of changes is worse than none. */
function refuseAnyMove(ids: readonly string[], word: string, { moves }: Tasks): void {
  const side = sideNamed(word);
  for (const id of ids) {
    const refused = moves.get(id)?.to.find((each) => each.side === side)?.refused;
    if (refused !== undefined)
      throw new UserError('usage', `“${id}” cannot go to ${word}: ${refused}`, 'Leave it out with “tasks disable”.');
  }
}

/** All or nothing here, too. */
function refuseUnknown(ids: readonly string[], tasks: Tasks): void {
  const known = taskRows(tasks).map((row) => row.id);
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length === 0) return;
  const cure = known.length === 0 ? 'There are none yet.' : `The tasks are: ${known.join(', ')}.`;
  throw new UserError('usage', `There is no task ${unknown.map((id) => `“${id}”`).join(', ')}.`, cure);
}

function nothingNamed(
  { drafts, onlySingly }: Tasks,
  { skill, isAll }: { readonly skill: string; readonly isAll: boolean },
): UserError {
  if (drafts.length === 0) return new UserError('usage', 'This skill has no drafts to confirm.', waysToTasks(skill));
  const names = drafts.map(({ id }) => id).join(', ');
  if (isAll && onlySingly !== undefined)
    return new UserError(
      'usage',
      'Every draft of this skill is to be looked at first.',
      `Look at each with “whetstone tasks show ${typedWord(skill)} <id>”, then confirm by name those that are good: ${names}.`,
    );
  const isAllOf = drafts.some(({ id }) => onlySingly?.has(id) !== true);
  return new UserError(
    'usage',
    'No task was named.',
    isAllOf ? `Name some of: ${names}; or use --all.` : `Name some of: ${names}.`,
  );
}
