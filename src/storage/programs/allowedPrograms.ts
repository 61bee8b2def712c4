import { appendFile, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.js';
import { unlessMissing } from '../files/fileErrors.js';
import { workspaceAround } from '../files/workspaceAround.js';

/*
 * The programs that a worker may run, in a file of its own: a line for each, its hash and then words for people. No
 * workspace and no job can add to it: it lies in no workspace, where a pull could.
 */

/** The hashes in the file. Throws where it is not there, is no such list, lies in a workspace, or where others can write to it. */
export async function readAllowedPrograms(file: string, platform: NodeJS.Platform): Promise<ReadonlySet<string>> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true)
    throw new UserError('usage', `There is no list of programs at ${file}.`, howToMake(file));
  if (platform !== 'win32' && (found.mode & 0o022) !== 0)
    throw new UserError('usage', `Others can write to ${file}, the list of programs.`, `Run: chmod go-w ${file}`);
  await refuseInWorkspace(file);
  return new Set(hashesIn(await readFile(file, 'utf8'), file));
}

/** Wherever a link leads. One that is not there yet would be made in its folder. */
async function refuseInWorkspace(file: string): Promise<void> {
  const real = await unlessMissing(realpath(file));
  const folder = real === undefined ? await unlessMissing(realpath(path.dirname(file))) : path.dirname(real);
  const workspace = folder === undefined ? undefined : workspaceAround(folder);
  if (workspace !== undefined)
    throw new UserError(
      'usage',
      `The list of programs lies in a workspace (${workspace}), where whoever changes the workspace could add to it.`,
      'Keep it outside of workspaces, such as at ~/.config/whetstone/programs.',
    );
}

function howToMake(file: string): string {
  return `Make one: whetstone worker allow <skill> --file ${file}`;
}

function hashesIn(text: string, file: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line, index) => {
    if (line === '' || line.startsWith('#')) return [];
    const [, hash] = /^([0-9a-f]{64})(?:\s|$)/u.exec(line) ?? [];
    if (hash !== undefined) return [hash];
    const cure = 'Every line begins with the 64 characters of a hash, or with # where it is a note.';
    throw new UserError('usage', `Line ${index + 1} of ${file} names no program.`, cure);
  });
}

/** Adds what is not in it yet; makes the file for its owner alone where there is none. */
export async function addAllowedPrograms(
  file: string,
  programs: readonly { readonly hash: string; readonly shown: string }[],
  platform: NodeJS.Platform,
): Promise<void> {
  const known = await knownIn(file, platform);
  const added = programs.filter(({ hash }) => !known.has(hash));
  if (added.length === 0) return;
  const lines = added.map(({ hash, shown }) => `${hash}  ${shown.replaceAll(/\s+/gu, ' ')}\n`);
  const before = (await unlessMissing(readFile(file, 'utf8'))) ?? '';
  const ends = before === '' || before.endsWith('\n') ? '' : '\n'; // whoever writes by hand may leave the last one open
  await appendFile(file, `${ends}${lines.join('')}`, { mode: 0o600 });
}

async function knownIn(file: string, platform: NodeJS.Platform): Promise<ReadonlySet<string>> {
  const isThere = (await unlessMissing(stat(file))) !== undefined;
  if (isThere) return readAllowedPrograms(file, platform);
  await refuseInWorkspace(file);
  return new Set();
}
