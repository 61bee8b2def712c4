import { leavesFolder } from '../../tasks/task.js';
import * as z from 'zod';
import { canonicalJson } from '../../hash.js';
import { shortHash } from '../../tasks/canonicalHash.js';
import type { ProgramResult } from '../../ports/programs.js';
import { defineCheck, MalformedCheckError, scored, type CheckOutcome } from '../check.js';

const outputLimitBytes = 1_000_000;
const longestReason = 400;

export const command = defineCheck({
  name: 'command',
  about: 'A program reads the answer from its standard input and exits with 0 if it is good.',
  arguments: z.strictObject({
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
  }),
  prepare: (options) => {
    const { folder } = options;
    if (folder !== undefined && leavesFolder(folder)) {
      throw new MalformedCheckError(`“${folder}” could lie outside the folder of the skill.`, ['folder']);
    }
    return {
      criterion: options.criterion ?? `The program “${options.command}” accepts the answer.`,
      isDescribed: options.criterion !== undefined,
      evaluation: {
        by: 'rule',
        evaluate: async ({ answer }, { programs, consent, contents, folder: root }, signal) => {
          const where = folder === undefined ? undefined : `${root}/${folder}`;
          const what = [options.command, ...options.arguments].join(' ');
          const program = { command: options.command, arguments: options.arguments, folder: where };
          const found = await contents.of({ ...program, within: root }, signal);
          if (found.kind === 'unreadable') return notLookedAt(what, found.reason);
          const { text: content, plain, shown, unbound } = found;
          const formerly = plain === undefined ? undefined : contentBefore(program, plain);
          if (!(await consent.allows({ what, content, formerly, folder: where, shown, unbound }, signal))) {
            return { kind: 'invalid', reason: `The program “${what}” was not allowed to run.` };
          }
          const now = await contents.of({ ...program, within: root }, signal);
          if (now.kind !== 'found' || now.text !== content) return changedSince(what);
          const result = await programs.run(
            {
              ...program,
              input: answer,
              timeLimitMs: options.timeLimitSeconds * 1000,
              outputLimitBytes,
            },
            signal,
          );
          return outcomeOf(result, options.timeLimitSeconds);
        },
      },
    };
  },
});

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

function outcomeOf(result: ProgramResult, timeLimitSeconds: number): CheckOutcome {
  switch (result.kind) {
    case 'exited': {
      const said = `${result.output}\n${result.errorOutput}`.trim().slice(0, longestReason);
      const reason = `The program ended with ${result.code}${said === '' ? '.' : `: ${said}`}`;
      return scored(result.code === 0, reason);
    }
    // A program that runs on because of what the answer made it do has found a bad answer.
    case 'timed-out':
      return scored(false, `The program did not end within ${timeLimitSeconds} s.`);
    case 'output-too-large':
      return scored(false, 'The program wrote more than it may.');
    case 'not-started':
      return { kind: 'invalid', reason: `The program could not be started: ${result.reason}` };
  }
}
