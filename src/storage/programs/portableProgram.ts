import { lstat } from 'node:fs/promises';
import os from 'node:os';
import { UserError } from '../../errors.js';
import { canonicalJson, sha256 } from '../../hash.js';
import type { WorkTree } from '../../ports/agentWork.js';
import type { ProgramRequest } from '../../ports/programs.js';
import type { PortableProgram } from '../../ports/workerPrograms.js';
import { readFolder, type ReadFolder } from './folderReader.js';
import { namedPaths } from './namedPaths.js';
import { treeOf } from './workplace/workTree.js';

/** Whether a program can run on another machine as it would here. */
type Portability =
  | { readonly kind: 'portable'; readonly program: PortableProgram; readonly hash: string }
  | { readonly kind: 'stays'; readonly why: 'asks-target' | 'bound' | 'too-large' };

/** What is looked at of a program: how it is started. */
type StartedProgram = Pick<
  ProgramRequest,
  'command' | 'arguments' | 'folder' | 'only' | 'environment' | 'reach' | 'module'
>;

/**
 * Reads a program with all files of its folder. One that asks the run's target, reads files of this machine, names a file
 * outside of its folder that is no part of the system, or is told variables, stays here.
 */
export async function portableProgram(
  request: StartedProgram,
  signal: AbortSignal,
  read: ReadFolder = readFolder,
): Promise<Portability> {
  const { folder, only, reach } = request;
  const { ports = [], hosts = [] } = reach ?? {};
  if (ports.length > 0) return { kind: 'stays', why: 'asks-target' };
  if (await isBound(request)) return { kind: 'stays', why: 'bound' };
  try {
    const tree = folder === undefined ? undefined : await read(folder, only, signal);
    const program = { start: startOf(request), folder: tree, hosts };
    return { kind: 'portable', program, hash: hashWith(program, tree) };
  } catch (error) {
    if (error instanceof UserError) return { kind: 'stays', why: 'too-large' };
    throw error;
  }
}

function startOf({ command, arguments: words, module }: StartedProgram): PortableProgram['start'] {
  return module === undefined ? { kind: 'command', command, arguments: words } : { kind: 'module', file: module };
}

/**
 * What a worker knows a program by: its words, the hosts that it may reach, and every path, byte and mode of its folder.
 * Not where the folder lies, which is another place on each machine. The bytes are hashed, whatever the tree says of itself.
 */
export function programHash({ start, folder, hosts }: PortableProgram): string {
  return hashWith({ start, hosts }, folder === undefined ? undefined : treeOf(folder.entries));
}

/** `folder` as it was read here: its own word for its bytes counts. */
function hashWith(
  { start, hosts }: Pick<PortableProgram, 'start' | 'hosts'>,
  folder: Pick<WorkTree, 'hash'> | undefined,
): string {
  const files = folder?.hash ?? null;
  return sha256(canonicalJson({ kind: 'whetstone-program', start, files, hosts: hosts.toSorted() }));
}

/** Whether it needs something that only this machine has. */
export async function isBound(request: StartedProgram): Promise<boolean> {
  const { command, arguments: words, environment = {}, module } = request;
  if (readsHere(request)) return true;
  if (module !== undefined) return false; // its words are our own
  if (Object.keys(environment).length > 0) return true;
  const { paths } = namedPaths([command, ...words], { home: os.homedir(), temporary: os.tmpdir() });
  for (const place of paths) if (!ofSystem.test(place) && (await isThere(place))) return true;
  return false;
}

function readsHere({ reach }: StartedProgram): boolean {
  return (reach?.reads ?? []).length + Object.keys(reach?.secrets ?? {}).length > 0;
}

/** What every machine of its kind has: its programs, and devices that hold nothing. */
const ofSystem = /^\/(?:s?bin|usr)\/|^\/dev\/(?:null|zero|u?random|std(?:in|out|err))$/u;

function isThere(place: string): Promise<boolean> {
  return lstat(place).then(
    () => true,
    () => false,
  );
}
