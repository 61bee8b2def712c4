import { leavesFolder } from '../../tasks/task.js';
import * as z from 'zod';
import { canonicalJson } from '../../hash.js';
import type { FixtureFiles } from '../../ports/files.js';
import type { ProgramResult } from '../../ports/programs.js';
import { hashOfBytes } from '../../tasks/canonicalHash.js';
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
    criterion: z.string().trim().min(1).optional().describe('What the program looks for, in plain words.'),
  }),
  prepare: (options) => {
    const { folder } = options;
    if (folder !== undefined && leavesFolder(folder)) {
      throw new MalformedCheckError(`“${folder}” could lie outside the folder of the skill.`, ['folder']);
    }
    return {
      criterion: options.criterion ?? `The program “${options.command}” accepts the answer.`,
      evaluation: {
        by: 'rule',
        evaluate: async ({ answer }, { programs, consent, files, folder: root }, signal) => {
          const where = folder === undefined ? undefined : `${root}/${folder}`;
          const words = [options.command, ...options.arguments];
          const found = await contentOf({ folder: where, words }, files, signal);
          if (found === undefined) return { kind: 'invalid', reason: `The folder “${folder}” cannot be read.` };
          const content = canonicalJson({ command: options.command, arguments: options.arguments, files: found });
          const what = words.join(' ');
          if (!(await consent.allows({ what, content, folder: where }, signal))) {
            return { kind: 'invalid', reason: `The program “${what}” was not allowed to run.` };
          }
          const result = await programs.run(
            {
              command: options.command,
              arguments: options.arguments,
              folder: where,
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

/** What the person allows is what runs: every file of the folder counts, by its bytes, and so does one named by its whole path. */
async function contentOf(
  { folder, words }: { readonly folder: string | undefined; readonly words: readonly string[] },
  files: FixtureFiles,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | undefined> {
  const hashes: [string, string][] = [];
  try {
    for (const path of folder === undefined ? [] : await files.list(folder, signal)) {
      const bytes = await files.read(path, signal);
      if (bytes !== undefined) hashes.push([path, hashOfBytes(bytes)]);
    }
    for (const path of words.filter((word) => wholePath.test(word))) {
      const bytes = await files.read(path, signal).catch(() => undefined); // a folder, or not ours to read
      if (bytes !== undefined) hashes.push([path, hashOfBytes(bytes)]);
    }
  } catch {
    signal.throwIfAborted();
    return undefined; // One task with a bad folder never ends a run.
  }
  return Object.fromEntries(hashes);
}

const wholePath = /^(?:[\\/]|[A-Za-z]:[\\/])/u;

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
