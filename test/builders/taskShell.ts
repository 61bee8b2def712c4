import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aSkillFolder, type SkillFiles } from './aSkillFolder.js';
import { aCommandLine, type CommandLine } from './commandLine.js';

/** What `tasks list --json` prints. */
export interface ListedTasks {
  readonly tasks: readonly { readonly id: string; readonly side: string; readonly reason?: string }[];
  readonly problems: readonly { readonly code: string; readonly task: string | null; readonly line: number }[];
}

const prompts = [
  'Greet Ada who sails',
  'Welcome the new cook',
  'Say hi to a stranger in the lift',
  'Address the board',
];

/** Four tasks, `t0` to `t3`. */
export const evals = prompts.map((prompt, index) => ({ id: `t${index}`, prompt, expectations: ['It greets.'] }));

/** Command lines, each with one skill; all of them are put away by `dispose`. */
export function taskShells(): {
  readonly aSkill: (files: SkillFiles) => { readonly shell: CommandLine; readonly folder: string };
  readonly dispose: () => void;
} {
  const shells: CommandLine[] = [];
  return {
    aSkill(files) {
      const shell = aCommandLine();
      shells.push(shell);
      return { shell, folder: aSkillFolder(shell.folder, files) };
    },
    dispose: () => shells.forEach((shell) => shell.dispose()),
  };
}

export async function listed(shell: CommandLine, folder: string): Promise<ListedTasks> {
  const done = await shell.run('tasks', 'list', folder, '--json');
  assert.equal(done.code, 0, done.err);
  return JSON.parse(done.out);
}

export function put(workspace: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
    writeFileSync(path.join(workspace, name), content);
  }
}

/** One JSON object a line. */
export function lines(records: readonly object[]): string {
  return `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
}
