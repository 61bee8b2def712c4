import { realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isInside } from '../../../isInside.js';
import type { ProgramRequest } from '../../../ports/programs.js';
import { startedFiles } from './foundProgram.js';
import type { HelperSettings } from './messages.js';

/** Where people, other programs and mounted disks keep what is theirs. */
const closedPlaces = ['/home', '/root', '/tmp', '/var/tmp', '/mnt', '/media', '/run/user', '/run/secrets'];

/**
 * All that nobody in the sandbox reads: homes, temporary files, mounted disks, and what is named, such as the workspace
 * and our state. Only what is there, under its real name; never the root, for that would close the system too.
 */
export async function deniedPlaces(named: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all([...closedPlaces, os.homedir(), os.tmpdir(), ...named].map(realOf));
  const all = found.filter((place) => place !== undefined);
  return [...new Set(all.filter(canBeClosed))];
}

/** Inside, /dev is a new one, with nothing in it. */
export function canBeClosed(place: string): boolean {
  return place !== '/' && !isInside('/dev', place);
}

/** What a request closes and opens again: its program's install folder, those of the PATH, and what it declares. */
export async function readRules(
  request: ProgramRequest,
  { denied, own, seccomp, home, attempts, kept }: Omit<HelperSettings, 'tools' | 'masks' | 'limits'>,
): Promise<{ readonly denyRead: string[]; readonly allowRead: string[] }> {
  const started = (await startedFiles(request)).map((file) => installRoot(file, home, denied));
  const searched = (request.environment?.['PATH'] ?? '').split(path.delimiter);
  const onPath = searched.filter((folder) => isInside(home, folder) && !isInWorkspace(folder, denied, home));
  const declared = await Promise.all((request.reach?.reads ?? []).map((given) => declaredRead(given, home)));
  const tooWide = declared.find((place) => [own, attempts, ...kept].some((other) => isInside(place, other)));
  if (tooWide !== undefined)
    throw new Error(
      `“${tooWide}” may not be read as a whole: the skill’s workspace or Whetstone’s own files lie in it.`,
    );
  const opened = [...started, ...onPath.map((folder) => installRoot(path.join(folder, 'x'), home, denied) ?? folder)];
  const wanted = [own, path.dirname(seccomp), ...opened.filter((place) => place !== undefined), ...declared];
  const real = await Promise.all(wanted.map(realOf));
  // Under both names: what is reached through a link is named by it.
  const named = wanted.filter((place, index) => real[index] !== undefined && path.isAbsolute(place));
  const allowRead = [...new Set([...named, ...real.filter((place) => place !== undefined)])];
  return { denyRead: [...denied], allowRead: allowRead.filter((place) => denied.some((no) => isInside(no, place))) };
}

async function declaredRead(given: string, home: string): Promise<string> {
  const place = path.resolve('/', given.replace(/^~(?=\/|$)/u, home));
  return (await realOf(place)) ?? place;
}

/** A place of the home that is closed by a name of its own. */
function isInWorkspace(folder: string, denied: readonly string[], home: string): boolean {
  return denied.some((place) => place !== home && isInside(home, place) && isInside(place, folder));
}

/** Folders of a home that hold programs and nothing of the person's. */
const wholeFolders =
  /^\.?(?:pyenv|nvm|asdf|rbenv|volta|bun|deno|fnm|sdkman|rustup|miniconda3?|anaconda3?|miniforge3?|mambaforge)$/u;
const binFolders = new Set(['bin', 'sbin', 'shims', 'Scripts']);

/**
 * The folder that a program was installed to: `<root>/bin/<name>` lies in `<root>`. Where that would open a home, another
 * closed place or a folder directly in a home, which may hold anything, only the folder of the file, or the file itself.
 */
export function installRoot(file: string, home: string, denied: readonly string[]): string | undefined {
  const folder = path.dirname(file);
  const root = binFolders.has(path.basename(folder)) ? path.dirname(folder) : folder;
  const tooWide = (place: string): boolean => denied.some((no) => isInside(place, no)) || place === home;
  if (isInside(home, root) && root !== home) {
    const [first = '', ...rest] = path.relative(home, root).split(path.sep);
    if (wholeFolders.test(first)) return path.join(home, first);
    if (rest.length === 0) return tooWide(folder) || folder === root ? file : folder;
  }
  return [root, folder].find((place) => !tooWide(place)) ?? file;
}

async function realOf(place: string): Promise<string | undefined> {
  return realpath(place).catch(() => undefined);
}
