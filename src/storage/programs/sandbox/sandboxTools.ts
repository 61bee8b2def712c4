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
  const folders = [...trustedFolders(searched, closed), ...usualFolders.filter((folder) => !isIn(folder, closed))];
  const found = new Map<string, string>();
  for (const name of names) {
    const places = [...folders.map((folder) => path.join(folder, name)), ...(name === 'rg' ? ripgrep : [])];
    const place = await firstThatRuns(places);
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

async function firstThatRuns(places: readonly string[]): Promise<string | undefined> {
  for (const place of places) if (await mayRun(place)) return realpath(place);
  return undefined;
}

/** Those of a PATH that no workspace can put a program into. */
export function trustedFolders(searched: string | undefined, closed: readonly string[]): readonly string[] {
  return (searched ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder) && !isIn(folder, closed));
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
