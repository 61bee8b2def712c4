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

/** What a request closes and opens again: what it is started with, the folders of the PATH, and what it declares. */
export async function readRules(
  request: ProgramRequest,
  settings: Omit<HelperSettings, 'tools' | 'masks' | 'limits'>,
): Promise<ReadRules> {
  const { denied, own, seccomp, home } = settings;
  const declared = await Promise.all((request.reach?.reads ?? []).map((given) => declaredRead(given, home)));
  const places = declared.flatMap(({ place, real }) => [place, real]);
  for (const place of places) refuseRead(place, settings);
  const wanted = [own, path.dirname(seccomp), ...(await openedUnasked(request, settings)), ...places];
  const real = await Promise.all(wanted.map(realOf));
  // Under both names: what is reached through a link is named by it.
  const named = wanted.filter((place, index) => real[index] !== undefined && path.isAbsolute(place));
  const allowRead = [...new Set([...named, ...real.filter((place) => place !== undefined)])];
  const opened = allowRead.filter((place) => denied.some((no) => isInside(no, place)));
  return { denyRead: [...denied], allowRead: opened, links: linksAmong(declared, opened) };
}

/** What is closed to a program, and what of it is opened again. */
export interface ReadRules {
  readonly denyRead: string[];
  readonly allowRead: string[];
  /** Names in closed places that lead to opened ones: the library opens where they lead to, and not the names. */
  readonly links: readonly Link[];
}

interface Link {
  readonly name: string;
  readonly leadsTo: string;
}

/** Those that do not stand in an opened folder, where they are links already. */
function linksAmong(declared: readonly DeclaredRead[], opened: readonly string[]): readonly Link[] {
  return declared
    .filter(({ place, real }) => place !== real && opened.includes(place))
    .filter(({ place }) => !opened.some((other) => other !== place && isInside(other, place)))
    .map(({ place, real }) => ({ name: place, leadsTo: real }));
}

/** An editor that runs modules as Node needs the libraries beside it, wherever it was unpacked. */
const ownEditor = process.versions['electron'] === undefined ? undefined : process.execPath;

/** What is opened though nobody declared it: never anything of the workspace or of our state, by whatever name. */
async function openedUnasked(
  request: ProgramRequest,
  { denied, home, kept }: Pick<HelperSettings, 'denied' | 'home' | 'kept'>,
): Promise<readonly string[]> {
  const started = (await startedFiles(request)).map((file) =>
    file === ownEditor ? path.dirname(file) : installRoot(file, home, denied),
  );
  const searched = (request.environment?.['PATH'] ?? '').split(path.delimiter);
  const onPath = searched
    .filter((folder) => homeAround(folder, home) !== undefined && !denied.some((no) => isInside(folder, no)))
    .map((folder) => managedRoot(folder, home, denied) ?? folder);
  const opened = [...started, ...onPath];
  const real = await Promise.all(opened.map(realOf));
  const isKept = (place: string): boolean => kept.some((no) => isInside(no, place) || isInside(place, no));
  return opened.filter((place, index) => !isKept(place) && !isKept(real[index] ?? place));
}

/** By the name that was declared, and by where links lead to. */
interface DeclaredRead {
  readonly place: string;
  readonly real: string;
}

async function declaredRead(given: string, home: string): Promise<DeclaredRead> {
  const place = path.resolve('/', given.replace(/^~(?=\/|$)/u, home));
  return { place, real: (await realOf(place)) ?? place };
}

/** By where links lead to: a declaration opens neither answers nor our state, and nothing that holds them. */
function refuseRead(
  place: string,
  { own, attempts, kept, sealed }: Pick<HelperSettings, 'own' | 'attempts' | 'kept' | 'sealed'>,
): void {
  if ([own, attempts, ...kept].some((other) => isInside(place, other)))
    throw new Error(
      `“${place}” may not be read as a whole: the skill’s workspace or Whetstone’s own files lie in it. Name what the program needs of it under “reads” instead.`,
    );
  if (sealed.some((other) => isInside(other, place)) || place.split(path.sep).includes('evals'))
    throw new Error(
      `“${place}” may not be read: it belongs to Whetstone’s own files, or to tasks and their answers. Take it out of “reads”.`,
    );
}

/** Folders of a home that version managers fill with programs and with nothing of the person's. */
const managers = [
  /^\.(?:pyenv|nvm|asdf|rbenv|volta|bun|deno|fnm|sdkman|rustup)$/u,
  /^(?:\.?(?:miniconda|anaconda|miniforge)3?|\.?mambaforge)$/u,
  /^\.cargo\/bin$/u,
  /^\.local\/share\/(?:mise|rtx|uv|fnm|pnpm|pipx|virtualenvs)$/u,
  /^\.vscode(?:-server|-server-insiders)\/bin\/[^/]+$/u,
  /^\.vscode(?:-server|-server-insiders)\/cli\/servers\/[^/]+$/u,
];

/** The folder of a version manager that a place of the home lies in; none that holds a closed place. */
function managedRoot(place: string, home: string, denied: readonly string[]): string | undefined {
  const around = homeAround(place, home);
  if (around === undefined) return undefined;
  const names = path.relative(around, place).split(path.sep);
  const roots = names.map((_, index) => names.slice(0, index + 1).join('/'));
  const found = roots.find((root) => managers.some((each) => each.test(root)));
  const root = found === undefined ? undefined : path.join(around, found);
  return root === undefined || denied.some((no) => isInside(root, no)) ? undefined : root;
}

/** The home that a place lies in: that of whose state it is, or that of whom we run as. */
function homeAround(place: string, home: string): string | undefined {
  return [home, os.homedir(), accountHome()].find((each) => each !== undefined && isInside(each, place));
}

/** As the system has it, whatever HOME says; a user without an account has none. */
function accountHome(): string | undefined {
  try {
    return os.userInfo().homedir;
  } catch {
    return undefined;
  }
}

/** What is opened to start a file: the folder of the version manager that it lies in, else the file alone. */
export function installRoot(file: string, home: string, denied: readonly string[]): string {
  return managedRoot(path.dirname(file), home, denied) ?? file;
}

async function realOf(place: string): Promise<string | undefined> {
  return realpath(place).catch(() => undefined);
}
