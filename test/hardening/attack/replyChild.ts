// Runs commands on a workspace of its own, in a process that can be ended where it hangs. It is told by messages.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { nodeClock } from '../../../src/storage/files/nodeAdapters.js';
import { aCommandLine } from '../../builders/commandLine.js';

export interface ReplyOrder {
  /** A folder that holds `workspace` and `home`. */
  readonly base: string;
  /** The folder of the skill, in the workspace; `{skill}` stands for it in commands. */
  readonly skill: string;
  readonly commands: readonly (readonly string[])[];
}

export interface ReplyReport {
  readonly ends: readonly {
    readonly code: number;
    readonly out: string;
    readonly err: string;
    readonly skill: string;
  }[];
  /** What was thrown where nothing may be. */
  readonly thrown: string | undefined;
  /** Whether a reply got into the prototype of all objects. */
  readonly polluted: boolean;
}

/** Nobody waits before a call is made again. */
const hasty = { ...nodeClock, sleep: () => Promise.resolve() };

process.on('message', (order: ReplyOrder) => {
  void carryOut(order).then((report) => process.send?.(report));
});

async function carryOut({ base, skill: inside, commands }: ReplyOrder): Promise<ReplyReport> {
  const line = aCommandLine({ at: { base }, clock: hasty });
  const skill = path.join(line.folder, inside);
  const ends: ReplyReport['ends'][number][] = [];
  try {
    for (const command of commands) {
      const end = await line.run(...command.map((word) => word.replace('{skill}', skill)));
      ends.push({ ...end, skill: bytesOf(path.join(skill, 'SKILL.md')) });
    }
    return { ends, thrown: undefined, polluted: 'polluted' in {} };
  } catch (error) {
    return { ends, thrown: error instanceof Error ? (error.stack ?? error.message) : String(error), polluted: false };
  }
}

function bytesOf(file: string): string {
  return existsSync(file) ? readFileSync(file).toString('base64') : '';
}
