import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../isInside.js';
import { mayRun } from '../../../mayRun.js';
import { lieOutside, searchedFolders } from '../../../searchedFolders.js';
import type { SandboxState } from '../../../ports/sandbox.js';
import type { SandboxTools } from './messages.js';

/** The package that each program comes with. */
const packages: Readonly<Record<keyof SandboxTools, string>> = {
  bwrap: 'bubblewrap',
  socat: 'socat',
  rg: 'ripgrep',
  prlimit: 'util-linux',
  bash: 'bash',
};

const usualFolders = ['/usr/local/bin', '/usr/bin', '/bin'];

/**
 * The programs of the system that the sandbox is built on. None is taken from a closed folder: a workspace could bring
 * one of its own.
 */
export async function findTools(
  searched: string | undefined,
  { closed, ripgrep = [] }: { readonly closed: readonly string[]; readonly ripgrep?: readonly string[] | undefined },
): Promise<SandboxTools | Extract<SandboxState, { kind: 'missing' }>> {
  const folders = await trustedFolders([searched, ...usualFolders].join(path.delimiter), closed);
  const outside = await leadOut(closed);
  const found = new Map<string, string>();
  for (const name of names) {
    const onPath = await firstThatRuns(
      folders.map((folder) => path.join(folder, name)),
      outside,
    );
    const place = onPath ?? (name === 'rg' ? await firstThatRuns(ripgrep, async () => true) : undefined);
    if (place !== undefined) found.set(name, place);
  }
  const missing = names.filter((name) => !found.has(name));
  if (missing.length === 0) return toolsOf(found);
  const programs = missing.map((name) => packages[name]);
  return { kind: 'missing', programs, install: installLine(programs) };
}

/** The first program of this name that no workspace can have brought, and that `isIt`; by its real name. */
export async function findOutside(
  name: string,
  {
    searched,
    closed,
    isIt,
  }: {
    readonly searched: string | undefined;
    readonly closed: readonly string[];
    readonly isIt: (file: string) => Promise<boolean>;
  },
): Promise<string | undefined> {
  const folders = await trustedFolders([searched, ...usualFolders].join(path.delimiter), closed);
  const isOutside = await leadOut(closed);
  return firstThatRuns(
    folders.map((folder) => path.join(folder, name)),
    async (file) => (await isOutside(file)) && isIt(file),
  );
}

const names = ['bwrap', 'socat', 'rg', 'prlimit', 'bash'] as const;

function toolsOf(found: ReadonlyMap<string, string>): SandboxTools {
  const [bwrap = '', socat = '', rg = '', prlimit = '', bash = ''] = names.map((name) => found.get(name));
  return { bwrap, socat, rg, prlimit, bash };
}

async function firstThatRuns(
  files: readonly string[],
  isOutside: (file: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const file of files) {
    if (!(await mayRun(file))) continue;
    const real = await realpath(file);
    if (await isOutside(real)) return real; // a link of a trusted folder may lead into a workspace
  }
  return undefined;
}

/** Those of a PATH that no workspace can put a program into, by the names they are given and the ones they have. */
export async function trustedFolders(
  searched: string | undefined,
  closed: readonly string[],
): Promise<readonly string[]> {
  const isOutside = await leadOut(closed);
  const kept: string[] = [];
  for (const folder of await searchedFolders((searched ?? '').split(path.delimiter), workspaceOf(closed)))
    if ((await isOutside(folder)) && (await isOutside(await realOf(folder)))) kept.push(folder);
  return kept;
}

/** Whether a path lies outside of what is closed. The root as a workspace closes nothing: every program of the system lies in it. */
async function leadOut(closed: readonly string[]): Promise<(place: string) => Promise<boolean>> {
  const real = await Promise.all(closed.map(realOf));
  const places = [...closed, ...real].filter((place) => place !== '/');
  return async (place) =>
    !places.some((each) => isInside(each, place)) && (await lieOutside([place], workspaceOf(closed)));
}

/** Whoever calls from a clone has it as the working folder, without a skill too. */
function workspaceOf(closed: readonly string[]): readonly string[] {
  return [...closed, process.cwd()];
}

async function realOf(place: string): Promise<string> {
  return realpath(place).catch(() => path.resolve(place));
}

function installLine(programs: readonly string[]): string {
  const [, manager = 'apt-get install'] = managers.find(([file]) => existsSync(file)) ?? [];
  return `sudo ${manager} ${programs.join(' ')}`;
}

/** By a file that only their systems have. */
const managers = [
  ['/etc/debian_version', 'apt-get install'],
  ['/etc/fedora-release', 'dnf install'],
  ['/etc/redhat-release', 'dnf install'],
  ['/etc/arch-release', 'pacman -S'],
  ['/etc/SuSE-release', 'zypper install'],
  ['/etc/alpine-release', 'apk add'],
] as const;
