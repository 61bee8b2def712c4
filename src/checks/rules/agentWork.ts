import * as z from 'zod';
import type { ChangedFile } from '../../ports/agentWork.js';
import { shellCommands } from '../../shellCommands.js';
import type { Task } from '../../tasks/task.js';
import {
  defineCheck,
  MalformedCheckError,
  scored,
  type AnsweredAttempt,
  type CheckOutcome,
  type Evaluation,
} from '../check.js';
import { boundedTest } from '../regex/boundedTest.js';
import { translateRegex } from '../regex/translateRegex.js';
import { addedLines, filesInDiff } from '../unifiedDiff.js';
import { nobodyWorked, whyNoAgent } from './judgedText.js';

type Work = NonNullable<AnsweredAttempt['work']>;

/** What is looked at is there in the environment `agent` alone. */
function byWork(
  task: Task,
  look: (work: Work) => CheckOutcome,
): { readonly evaluation: Evaluation; readonly cannotPass: string | undefined; readonly beyondAnswer: true } {
  return {
    beyondAnswer: true,
    cannotPass: whyNoAgent(task),
    evaluation: { by: 'rule', evaluate: ({ work }) => (work === undefined ? nobodyWorked : look(work)) },
  };
}

export const skillUsed = defineCheck({
  name: 'skill_used',
  about: 'The agent uses the skill: loads it, or reads its file. With used: false it must leave it alone.',
  arguments: z.strictObject({ used: z.boolean().default(true) }),
  prepare: ({ used }, task) => ({
    criterion: used ? 'The agent uses the skill for this task.' : 'The agent does not use the skill for this task.',
    canFail: task.agent?.mode !== 'forced' || !used,
    ...byWork(task, ({ usedSkill }) =>
      usedSkill === undefined
        ? { kind: 'not-asked', reason: 'Without the skill there is nothing to use.' }
        : scored(usedSkill === used, usedSkill ? 'The agent used the skill.' : 'The agent did not use the skill.'),
    ),
  }),
});

const changes = ['added', 'changed', 'deleted', 'any', 'none'] as const;

export const fileChanged = defineCheck({
  name: 'file_changed',
  about: 'The agent adds, changes or deletes a file; with change: none no such file may be touched.',
  arguments: z.strictObject({
    path: z
      .string()
      .trim()
      .min(1)
      .describe('Relative to the work folder, with slashes; * and ** stand for any name and any path.'),
    change: z.enum(changes).default('any'),
    contains: z.string().min(1).optional().describe('Text in the lines that the agent added to it.'),
  }),
  prepare: ({ path, change, contains }, task) => {
    if (change === 'none' && contains !== undefined)
      throw new MalformedCheckError('a file that must not be touched contains nothing new.', ['contains']);
    if (change === 'deleted' && contains !== undefined)
      throw new MalformedCheckError('a file that is gone contains nothing.', ['contains']);
    const matches = matcherOf(path);
    const looked = { path, change, contains };
    return {
      criterion: fileCriterion(looked),
      ...(contains === undefined ? {} : { stated: [contains] }),
      ...byWork(task, (work) =>
        judgeFiles(
          work,
          work.changed.filter((file) => matches(file.path)),
          looked,
        ),
      ),
    };
  },
});

interface LookedFor {
  readonly path: string;
  readonly change: (typeof changes)[number];
  readonly contains: string | undefined;
}

function fileCriterion({ path, change, contains }: LookedFor): string {
  if (contains !== undefined)
    return change === 'added'
      ? `The file “${path}” is added, and what is in it contains “${contains}”.`
      : `The file “${path}” is changed, and what is added to it contains “${contains}”.`;
  switch (change) {
    case 'none':
      return `The file “${path}” is left as it is.`;
    case 'added':
      return `The file “${path}” is added.`;
    case 'deleted':
      return `The file “${path}” is deleted.`;
    case 'changed':
    case 'any':
      return `The file “${path}” is changed.`;
  }
}

function judgeFiles(work: Work, found: readonly ChangedFile[], { path, change, contains }: LookedFor): CheckOutcome {
  const [any] = found;
  if (change === 'none') return judgeUntouched(work, any, path);
  const fitting = found.filter((file) => change === 'any' || file.change === change);
  const [first] = fitting;
  if (first === undefined) return scored(false, any === undefined ? untouched(path) : became(any));
  if (contains === undefined) return scored(true, became(first));
  const added = addedLines(filesInDiff(work.diff).filter((file) => fitting.some((each) => each.path === file.path)));
  const holds = added.toLowerCase().includes(contains.toLowerCase());
  return scored(
    holds,
    holds ? `It contains “${contains}”.` : `What was added to “${first.path}” does not contain “${contains}”.`,
  );
}

/** An agent that changes thousands of files hides none among them. */
function judgeUntouched({ notShown = [] }: Work, touched: ChangedFile | undefined, path: string): CheckOutcome {
  if (touched !== undefined) return scored(false, became(touched));
  const more = notShown.find((what) => what.endsWith(' more changed files'));
  if (more !== undefined) return scored(false, `Not all changed files are told: there are ${more}.`);
  return scored(true, untouched(path));
}

function untouched(path: string): string {
  return `“${path}” was left as it is.`;
}

function became({ path, change }: ChangedFile): string {
  switch (change) {
    case 'added':
      return `“${path}” was added.`;
    case 'changed':
      return `“${path}” was changed.`;
    case 'deleted':
      return `“${path}” was deleted.`;
  }
}

/** `**` stands for any path, `*` and `?` for what is no slash. */
function matcherOf(glob: string): (path: string) => boolean {
  const source = glob
    .replace(/^\.\//u, '')
    .split(/(\*\*\/|\*\*|\*|\?)/u)
    .map((part) => globParts[part] ?? part.replaceAll(/[.+^${}()|[\]\\/]/gu, String.raw`\$&`))
    .join('');
  const pattern = new RegExp(`^${source}$`, 'u');
  return (path) => pattern.test(path);
}

const globParts: Readonly<Record<string, string>> = { '**/': '(?:[^/]+/)*', '**': '.*', '*': '[^/]*', '?': '[^/]' };

export const commandRan = defineCheck({
  name: 'command_ran',
  about: 'The agent runs a command; with ran: false it must not. Writing about a command is not running it.',
  arguments: z.strictObject({
    command: z.string().trim().min(1).optional().describe('How the command begins, such as npm test.'),
    pattern: z.string().min(1).max(2000).optional().describe('Or an expression that is found in it.'),
    ran: z.boolean().default(true),
    ok: z.boolean().optional().describe('true: at least once it must end well.'),
    criterion: z.string().trim().min(1).optional().describe('What is asked, in plain words; for a pattern.'),
  }),
  prepare: ({ command, pattern, ran, ok, criterion }, task) => {
    if ((command === undefined) === (pattern === undefined))
      throw new MalformedCheckError('give either “command” or “pattern”.', ['command']);
    const isMeant = pattern === undefined ? byText(command ?? '', ran) : byPattern(pattern);
    return {
      criterion: criterion ?? commandCriterion(command, { ran, ok: ok === true }),
      isDescribed: criterion !== undefined || command !== undefined,
      ...(pattern === undefined ? {} : { secrets: [pattern] }),
      ...byWork(task, (work) => judgeCommands(commandsIn(work).filter(isMeant), { ran, ok: ok === true })),
    };
  },
});

interface CommandRun {
  readonly ran: boolean;
  readonly ok: boolean;
}

function commandCriterion(command: string | undefined, { ran, ok }: CommandRun): string {
  if (command === undefined) return ran ? 'A command of a fixed form is run.' : 'A command of a fixed form is not run.';
  if (!ran) return `The command “${command}” is not run.`;
  return ok ? `The command “${command}” is run and ends well.` : `The command “${command}” is run.`;
}

interface RanCommand {
  readonly command: string;
  readonly ok: boolean | undefined;
  /** By an agent that starts no program: what it tells stands for what another one would run. */
  readonly onlyTold: boolean;
}

function commandsIn({ events }: Work): readonly RanCommand[] {
  return events.flatMap((event) =>
    event.kind === 'tool' && event.command !== undefined
      ? [{ command: event.command, ok: event.ok, onlyTold: event.onlyTold === true }]
      : [],
  );
}

/** At a place where a command begins. One that must not run is not to be hidden in a program on the command line either. */
function byText(text: string, isWanted: boolean): (ran: RanCommand) => boolean {
  const begins = (command: string): boolean =>
    command.startsWith(text) || command.replaceAll(/["'\\]/gu, '').startsWith(text);
  const holds = (command: string): boolean => /\s-\w*[ce]\s/u.test(command) && command.includes(text);
  return ({ command }) => shellCommands(command).commands.some((each) => begins(each) || (!isWanted && holds(each)));
}

/** In a command, or in a line of several where each of them runs. */
function byPattern(pattern: string): (ran: RanCommand) => boolean {
  const translated = translateRegex(pattern, '');
  if (translated.kind === 'refused') throw new MalformedCheckError(`${translated.reason}.`, ['pattern']);
  return ({ command }) => {
    const { commands, isAllRun } = shellCommands(command);
    return [...commands, ...(isAllRun ? [command] : [])].some((text) => {
      const test = boundedTest(translated.regex, text);
      return test.kind !== 'timed-out' && test.found;
    });
  };
}

function judgeCommands(found: readonly RanCommand[], { ran, ok }: CommandRun): CheckOutcome {
  const [first] = found;
  if (!ran) return scored(first === undefined, first === undefined ? 'It was not run.' : wasRun(first));
  if (first === undefined) return scored(false, 'It was not run.');
  const good = found.find((each) => each.ok === true);
  if (ok && good === undefined) return scored(false, `“${first.command}” was run and did not end well.`);
  return scored(true, wasRun((ok ? good : first) ?? first));
}

function wasRun({ command, onlyTold }: RanCommand): string {
  return onlyTold
    ? `“${command}” was told, not run: the scripted agent starts no program. That counts as running it.`
    : `“${command}” was run.`;
}
