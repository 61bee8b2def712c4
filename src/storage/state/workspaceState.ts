import { mkdir, realpath, stat, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { durableWrite } from '../files/durableWrite.js';
import { unlessMissing, hasCode } from '../files/fileErrors.js';
import { sha256 } from '../../hash.js';
import { isInside, makeFolderInside } from '../files/insideFolder.js';
import { parseJson } from '../../parseJson.js';
import { readBounded } from '../files/sealedFile.js';
import { stateFolderName } from './workspaceRoot.js';
import { messageOf } from '../../errors.js';

/** What the choice depends on. `faultOf` says why a folder cannot hold state. */
export interface WorkspaceStateChoice {
  readonly root: string | undefined;
  readonly skillPath: string;
  readonly userState: string;
  readonly purpose: 'look' | 'work';
  readonly faultOf: ((folder: string) => Promise<string | undefined>) | undefined;
}

/** Where state is written, where a team's files are read, and what the person should know about it. */
interface WorkspaceState {
  readonly folder: string;
  readonly shared: string;
  readonly storedIn: 'workspace' | 'user';
  readonly note: string | undefined;
}

/** What a team and CI share; everything else in the folder is this user's own. */
const gitignore = ['*', '!.gitignore', '!split.json', '!config.yaml', '!prompts/', '!prompts/**', ''].join('\n');

/**
 * Decides where a workspace's state lies. Once user state had to stand in for a root it goes on doing so, because state
 * that is spread over two places would be lost in one of them; the note says why, and how to change it.
 */
export async function chooseWorkspaceState(choice: WorkspaceStateChoice): Promise<WorkspaceState> {
  const { root, purpose } = choice;
  if (root === undefined) return standIn(choice, outsideNote(choice.skillPath));
  const why = await whyStandingIn(choice);
  if (why !== undefined) return standIn(choice, why);
  const folder = path.join(root, stateFolderName);
  const fault = await (purpose === 'work' ? makeStateFolder(root, folder, choice.faultOf) : linkFault(root, folder));
  if (fault === undefined) return { folder, shared: folder, storedIn: 'workspace', note: undefined };
  return standIn(choice, `${root} ${fault}, so its state is kept in ${standInFolder(choice)}.`);
}

async function makeStateFolder(
  root: string,
  folder: string,
  faultOf: WorkspaceStateChoice['faultOf'] = fileSystemFault,
): Promise<string | undefined> {
  const linked = await linkFault(root, folder);
  if (linked !== undefined) return linked;
  const exists = (await unlessMissing(stat(folder)))?.isDirectory() === true;
  const fault = await faultOf(exists ? folder : root);
  if (fault !== undefined) return fault;
  await mkdir(folder, { recursive: true });
  const ignore = path.join(folder, '.gitignore');
  if ((await unlessMissing(stat(ignore))) === undefined) await durableWrite(ignore, gitignore, { mode: 0o644 });
  return undefined;
}

async function linkFault(root: string, folder: string): Promise<string | undefined> {
  const real = await unlessMissing(realpath(folder));
  if (real !== undefined && !isInside(root, real)) return `has a ${stateFolderName} that is a link to somewhere else`;
  if (real !== undefined && !(await stat(real)).isDirectory()) return `has a ${stateFolderName} that is not a folder`;
  return undefined;
}

async function standIn(choice: WorkspaceStateChoice, note: string): Promise<WorkspaceState> {
  const folder = standInFolder(choice);
  if (choice.purpose === 'work') {
    await makeFolderInside(choice.userState, folder);
    if (choice.root !== undefined) await rememberWhy(choice, note);
  }
  return { folder, shared: await sharedFolder(choice, folder), storedIn: 'user', note };
}

async function rememberWhy(choice: WorkspaceStateChoice, note: string): Promise<void> {
  if ((await unlessMissing(stat(whyFile(choice)))) !== undefined) return;
  const why = { format: 'whetstone-stand-in', version: 1, for: placeOf(choice), note };
  await durableWrite(whyFile(choice), `${JSON.stringify(why)}\n`, { mode: 0o600 });
}

async function sharedFolder({ root }: WorkspaceStateChoice, otherwise: string): Promise<string> {
  if (root === undefined) return otherwise;
  const folder = path.join(root, stateFolderName);
  const exists = (await unlessMissing(stat(folder)))?.isDirectory() === true;
  return exists && (await linkFault(root, folder)) === undefined ? folder : otherwise;
}

const standInReason = z.object({ format: z.literal('whetstone-stand-in'), note: z.string() });

async function whyStandingIn(choice: WorkspaceStateChoice): Promise<string | undefined> {
  const text = await readBounded(whyFile(choice));
  if (text === undefined) return undefined;
  const why = standInReason.safeParse(parseJson(text)).data?.note ?? `The state of ${placeOf(choice)} is kept apart.`;
  return `${why} To keep it in the workspace again, move or delete ${standInFolder(choice)}.`;
}

function outsideNote(skillPath: string): string {
  return `${skillPath} lies outside every open folder, so its state is kept with your own.`;
}

function whyFile(choice: WorkspaceStateChoice): string {
  return path.join(standInFolder(choice), 'standing-in.json');
}

function standInFolder(choice: WorkspaceStateChoice): string {
  return path.join(choice.userState, 'workspaces', sha256(placeOf(choice)).slice(0, 32));
}

function placeOf({ root, skillPath }: WorkspaceStateChoice): string {
  return root ?? path.dirname(skillPath);
}

/**
 * Why a folder cannot hold state, as the end of a sentence, or undefined where it can: files can be created
 * exclusively and renamed over each other. Some network and sync file systems accept writes and fail at these.
 */
export async function fileSystemFault(folder: string): Promise<string | undefined> {
  let trial: string | undefined;
  try {
    trial = await mkdtemp(path.join(folder, '.whetstone-test-'));
    return (await exclusiveCreateFault(trial)) ?? (await renameFault(trial));
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return 'is read-only';
    return `cannot be written to (${messageOf(error)})`;
  } finally {
    if (trial !== undefined) await rm(trial, { recursive: true, force: true });
  }
}

async function exclusiveCreateFault(folder: string): Promise<string | undefined> {
  const file = path.join(folder, 'exclusive');
  await (await open(file, 'wx')).close();
  try {
    await (await open(file, 'wx')).close();
    return 'is on a file system that cannot create a file exclusively';
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return undefined;
    throw error;
  }
}

async function renameFault(folder: string): Promise<string | undefined> {
  const token = randomBytes(8).toString('hex');
  const [from, to] = [path.join(folder, 'new'), path.join(folder, 'old')];
  await writeFile(to, 'old');
  await writeFile(from, token);
  try {
    await rename(from, to);
  } catch {
    return 'is on a file system that cannot replace a file by renaming';
  }
  return (await readFile(to, 'utf8')) === token ? undefined : 'is on a file system that loses renamed files';
}
