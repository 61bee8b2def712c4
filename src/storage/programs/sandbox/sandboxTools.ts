import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../isInside.js';
import { mayRun } from '../../../mayRun.js';
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
  const places = await closedByName(closed);
  const folders = await trustedFolders([searched, ...usualFolders].join(path.delimiter), closed);
  const found = new Map<string, string>();
  for (const name of names) {
    const onPath = await firstThatRuns(
      folders.map((folder) => path.join(folder, name)),
      places,
    );
    const place = onPath ?? (name === 'rg' ? await firstThatRuns(ripgrep, []) : undefined);
    if (place !== undefined) found.set(name, place);
  }
  const missing = names.filter((name) => !found.has(name));
  if (missing.length === 0) return toolsOf(found);
  const programs = missing.map((name) => packages[name]);
  return { kind: 'missing', programs, install: installLine(programs) };
}

const names = ['bwrap', 'socat', 'rg', 'prlimit', 'bash'] as const;

function toolsOf(found: ReadonlyMap<string, string>): SandboxTools {
  const [bwrap = '', socat = '', rg = '', prlimit = '', bash = ''] = names.map((name) => found.get(name));
  return { bwrap, socat, rg, prlimit, bash };
}

async function firstThatRuns(files: readonly string[], closed: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    if (!(await mayRun(file))) continue;
    const real = await realpath(file);
    if (!isIn(real, closed)) return real; // a link of a trusted folder may lead into a workspace
  }
  return undefined;
}

/** Those of a PATH that no workspace can put a program into, by the names they are given and the ones they have. */
export async function trustedFolders(
  searched: string | undefined,
  closed: readonly string[],
): Promise<readonly string[]> {
  const places = await closedByName(closed);
  const folders = (searched ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const real = await Promise.all(folders.map(realOf));
  return folders.filter((folder, index) => !isIn(folder, places) && !isIn(real[index] ?? folder, places));
}

/** The root as a workspace closes nothing: every program of the system lies in it. */
async function closedByName(closed: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(closed.map(realOf));
  return [...closed, ...real].filter((place) => place !== '/');
}

async function realOf(place: string): Promise<string> {
  return realpath(place).catch(() => path.resolve(place));
}

function isIn(folder: string, closed: readonly string[]): boolean {
  return closed.some((place) => isInside(place, folder));
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
