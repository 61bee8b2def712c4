import { leavesFolder, type CheckSpec, type Task } from '../../tasks/task.js';
import * as z from 'zod';
import { canonicalJson } from '../../hash.js';
import { shortHash } from '../../tasks/canonicalHash.js';
import type {
  ProgramContent,
  ProgramReach,
  ProgramRequest,
  ProgramResult,
  ProgramToRun,
} from '../../ports/programs.js';
import { declaredReach, reachOf, reachWords } from '../../tasks/readers/declaredReach.js';
import { defineCheck, MalformedCheckError, scored, type AnsweredAttempt, type CheckOutcome } from '../check.js';

const outputLimitBytes = 1_000_000;
const longestReason = 400;

const options = z.strictObject({
  command: z.string().trim().min(1),
  arguments: z.array(z.string()).default([]),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe('Relative to the folder of the skill; the program runs in a throw-away copy of it.'),
  timeLimitSeconds: z.number().positive().max(600).default(30),
  criterion: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe('What the program looks for, in plain words. Without it the optimizer can only guess.'),
  ...declaredReach,
});

export type CommandOptions = z.infer<typeof options>;

export const command = defineCheck({
  name: 'command',
  about:
    'A program reads the answer from its standard input and exits with 0 if it is good. In agent tasks it runs in the folder that the agent left.',
  arguments: options,
  prepare: (given, task) => {
    const { folder } = given;
    if (folder !== undefined && leavesFolder(folder)) {
      throw new MalformedCheckError(`“${folder}” could lie outside the folder of the skill.`, ['folder']);
    }
    const described = { isDescribed: given.criterion !== undefined };
    if (task.environment === 'agent') {
      const criterion = given.criterion ?? `The program “${given.command}” accepts what was left behind.`;
      return { criterion, ...described, evaluation: { by: 'rule', evaluate: lookingAfter(given, task) } };
    }
    return {
      criterion: given.criterion ?? `The program “${given.command}” accepts the answer.`,
      ...described,
      evaluation: {
        by: 'rule',
        evaluate: async ({ answer }, { programs, consent, contents, folder: root }, signal) => {
          const { what, folder: where, bound, formerly, started } = startOf(given, root);
          const { reach } = started;
          const found = await contents.of(bound, signal);
          if (found.kind === 'unreadable') return notLookedAt(what, found.reason);
          const { text: content, shown, unbound } = found;
          const asked = shownReach(reach, found);
          const question = { what, content, formerly: formerly(found), folder: where, shown, unbound, reach: asked };
          if (!(await consent.allows(question, signal))) {
            return notAllowed(what, consent.changed?.({ what, folder: where, content }) === true);
          }
          const now = await contents.of(bound, signal);
          if (now.kind !== 'found' || now.text !== content) return changedSince(what);
          const result = await programs.run(
            {
              command: bound.command,
              arguments: bound.arguments,
              folder: where,
              input: answer,
              timeLimitMs: given.timeLimitSeconds * 1000,
              outputLimitBytes,
              travels: true,
              ...(reach === undefined ? {} : { reach }),
            },
            signal,
          );
          return outcomeOf(result, given.timeLimitSeconds);
        },
      },
    };
  },
});

/** What it said of the folder that an agent left, once the agent had ended. */
function lookingAfter(given: CommandOptions, task: Task): (attempt: AnsweredAttempt) => CheckOutcome {
  const own = canonicalJson(given);
  const at = commandsOf(task).findIndex((each) => canonicalJson(each) === own);
  return ({ work }) => {
    const result = work?.judged[at];
    if (result !== undefined) return outcomeOf(result, given.timeLimitSeconds);
    return { kind: 'invalid', reason: `The program “${given.command}” did not look at what was left behind.` };
  };
}

/** The programs that look at what an agent left, in the order in which they are run. */
export function commandsOf({ checks }: Pick<Task, 'checks'>): readonly CommandOptions[] {
  return checks.flatMap((spec) => {
    const read = spec.check === 'command' ? options.safeParse(spec.arguments) : undefined;
    return read?.success === true ? [read.data] : [];
  });
}

/** What the check would start; undefined for another check, and for one that cannot be read. */
export function commandToRun({ check, arguments: given }: CheckSpec, root: string): CommandStart | undefined {
  const read = check === command.name ? options.safeParse(given) : undefined;
  if (read?.success !== true || (read.data.folder !== undefined && leavesFolder(read.data.folder))) return undefined;
  return startOf(read.data, root);
}

interface CommandStart {
  readonly what: string;
  readonly folder: string | undefined;
  readonly bound: ProgramToRun;
  readonly started: Pick<ProgramRequest, 'command' | 'arguments' | 'folder' | 'reach'>;
  /** What an earlier version would have asked about. */
  readonly formerly: (found: Extract<ProgramContent, { kind: 'found' }>) => string | undefined;
}

function startOf(given: CommandOptions, root: string): CommandStart {
  const folder = given.folder === undefined ? undefined : `${root}/${given.folder}`;
  const told = reachWords(given);
  const what = [given.command, ...given.arguments, ...told].join(' ');
  const { command: name, arguments: words, reads } = given;
  const bound = { command: name, arguments: words, told, apart: told, reads, folder, within: root };
  const reach = reachOf(given);
  return {
    what,
    folder,
    bound,
    started: { command: name, arguments: words, folder, reach },
    formerly: ({ plain }) => (plain === undefined || reach !== undefined ? undefined : contentBefore(bound, plain)),
  };
}

/** What the person is shown: declared reads by where they lead to. */
function shownReach(
  reach: ProgramReach | undefined,
  { reads }: Pick<Extract<ProgramContent, { kind: 'found' }>, 'reads'>,
): ProgramReach | undefined {
  return reach?.reads === undefined || reads === undefined ? reach : { ...reach, reads };
}

function notAllowed(what: string, changed: boolean): CheckOutcome {
  const reason = changed
    ? `The program “${what}” changed since the run began: what it is now was not allowed to run.`
    : `The program “${what}” was not allowed to run.`;
  return { kind: 'invalid', reason };
}

/** What was hashed before links and permissions were. */
function contentBefore(
  { command: name, arguments: words }: { readonly command: string; readonly arguments: readonly string[] },
  plain: readonly { readonly path: string; readonly hash: string | undefined }[],
): string {
  const files = plain.flatMap(({ path, hash }) => (hash === undefined ? [] : [[path, shortHash(hash)]]));
  return canonicalJson({ command: name, arguments: words, files: Object.fromEntries(files) });
}

function notLookedAt(what: string, reason: string): CheckOutcome {
  return { kind: 'invalid', reason: `What the program “${what}” would run cannot be looked at: ${reason}` };
}

function changedSince(what: string): CheckOutcome {
  return { kind: 'invalid', reason: `The program “${what}” changed while it was asked about.` };
}

/** Whole, whatever is cut of what the program said: it holds the line to add. */
function andTold(sentence: string, { told = [] }: Pick<ProgramResult, 'told'>): string {
  return told.length === 0 ? sentence : `${sentence.replace(/[^.!?]$/u, '$&.')} ${told.join(' ')}`;
}

function outcomeOf(result: ProgramResult, timeLimitSeconds: number): CheckOutcome {
  switch (result.kind) {
    case 'exited': {
      const said = `${result.output}\n${result.errorOutput}`.trim().slice(0, longestReason);
      const reason = `The program ended with ${result.code}${said === '' ? '.' : `: ${said}`}`;
      return scored(result.code === 0, andTold(reason, result));
    }
    // A program that runs on because of what the answer made it do has found a bad answer.
    case 'timed-out':
      return scored(false, andTold(`The program did not end within ${timeLimitSeconds} s.`, result));
    case 'output-too-large':
      return scored(false, andTold('The program wrote more than it may.', result));
    case 'not-started':
      return { kind: 'invalid', reason: `The program could not be started: ${result.reason}` };
  }
}
