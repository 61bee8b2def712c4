import { access, constants, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { durableWrite } from '../files/durableWrite.js';
import { unlessMissing } from '../files/fileErrors.js';
import { sha256 } from '../../hash.js';
import { isInside } from '../../isInside.js';
import { makeFolderInside } from '../files/insideFolder.js';
import { writeInside } from '../files/writeInside.js';
import { parseJson } from '../../parseJson.js';
import { readBounded } from '../files/sealedFile.js';
import { stateFolderName } from './workspaceRoot.js';
import { UserError } from '../../errors.js';
import { fileSystemFault, isOfFileSystem } from './fileSystemFault.js';
import { bringBack } from './bringBack.js';

/** What the choice depends on. `faultOf` says why a folder cannot hold state. */
export interface WorkspaceStateChoice {
  readonly root: string | undefined;
  readonly skillPath: string;
  readonly userState: string;
  readonly purpose: 'look' | 'work';
  readonly faultOf: ((folder: string) => Promise<string | undefined>) | undefined;
}

/**
 * Where state is written, where a team's files are read, and what the person should know about it. Both folders are real
 * paths, the very ones that were looked at: a folder that becomes a link later is told apart by them.
 */
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
 * that is spread over two places would be lost in one of them; the note says why, and how to change it. User state never
 * stands in for a folder that holds state: that folder is used, or the error is said.
 */
export async function chooseWorkspaceState(choice: WorkspaceStateChoice): Promise<WorkspaceState> {
  const { root, purpose } = choice;
  if (root === undefined) return standIn(choice, outsideNote(choice.skillPath));
  const folder = path.join(root, stateFolderName);
  const why = await whyStandingIn(choice);
  if (why !== undefined && !(await isUsableAgain(choice, folder, why))) return standIn(choice, why);
  const found = await (purpose === 'work' ? makeStateFolder(root, folder, choice.faultOf) : realFolder(root, folder));
  if (found.fault === undefined) {
    const real = found.real ?? folder;
    const note = why === undefined ? undefined : await whatCameBack(choice, real);
    return { folder: real, shared: real, storedIn: 'workspace', note };
  }
  const { fault } = found;
  if (await holdsState(root, folder)) throw unusable(folder, fault);
  return standIn(choice, `${root} ${fault}, so its state is kept in ${standInFolder(choice)}.`);
}

/** A folder that holds state was only out of reach for a time: what was put aside meanwhile goes back to it. */
async function isUsableAgain(choice: WorkspaceStateChoice, folder: string, why: string): Promise<boolean> {
  if (choice.root === undefined || !(await holdsState(choice.root, folder))) return false;
  if (choice.purpose === 'work') return (await (choice.faultOf ?? fileSystemFault)(folder)) === undefined;
  // Looking writes nothing: it believes the permissions, but for what permissions do not tell.
  return !isOfFileSystem(why) && (await mayWrite(folder));
}

async function whatCameBack(choice: WorkspaceStateChoice, folder: string): Promise<string | undefined> {
  const apart = standInFolder(choice);
  if (choice.purpose === 'look') return `Some of the state of ${placeOf(choice)} still lies in ${apart}.`;
  const left = await bringBack({ from: apart, to: folder, marker: whyFile(choice) });
  const back = `The state of ${placeOf(choice)} is kept in ${folder} again.`;
  return left === 0 ? back : `${back} What was replaced by something newer lies in ${apart}.`;
}

/** What this user's runs left there; what a team shares counts for nothing. */
const ownFolders = ['proposals', 'decisions', 'runs'];

async function holdsState(root: string, folder: string): Promise<boolean> {
  const { real } = await realFolder(root, folder);
  if (real === undefined) return false;
  const found = await Promise.all(ownFolders.map((name) => unlessMissing(readdir(path.join(real, name)))));
  return found.some((names) => names !== undefined && names.length > 0);
}

async function mayWrite(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function unusable(folder: string, fault: string): UserError {
  return new UserError(
    'store-unusable',
    `${folder} holds what earlier runs left, and ${fault}.`,
    'Make it writable again, or move it away to begin anew.',
  );
}

/** A folder as it was found: its real path, or why it is not used; neither where there is none yet. */
interface FoundFolder {
  readonly real?: string;
  readonly fault?: string;
}

async function makeStateFolder(
  root: string,
  folder: string,
  faultOf: WorkspaceStateChoice['faultOf'] = fileSystemFault,
): Promise<FoundFolder> {
  const found = await realFolder(root, folder);
  if (found.fault !== undefined) return found;
  const fault = await faultOf(found.real ?? root);
  if (fault !== undefined) return { fault };
  const real = found.real ?? folder;
  const ignore = path.join(real, '.gitignore');
  if ((await unlessMissing(stat(ignore))) === undefined) await writeInside(real, ignore, gitignore, { mode: 0o644 });
  return { real };
}

async function realFolder(root: string, folder: string): Promise<FoundFolder> {
  const real = await unlessMissing(realpath(folder));
  if (real === undefined) return {};
  if (!isInside(root, real)) return { fault: `has a ${stateFolderName} that is a link to somewhere else` };
  if (!(await stat(real)).isDirectory()) return { fault: `has a ${stateFolderName} that is not a folder` };
  return { real };
}

async function standIn(choice: WorkspaceStateChoice, note: string): Promise<WorkspaceState> {
  const folder = standInFolder(choice);
  if (choice.purpose === 'work') {
    await makeFolderInside(choice.userState, folder);
    if (choice.root !== undefined) await rememberWhy(choice, note);
  }
  const real = (await unlessMissing(realpath(folder))) ?? folder;
  return { folder: real, shared: await sharedFolder(choice, real), storedIn: 'user', note };
}

async function rememberWhy(choice: WorkspaceStateChoice, note: string): Promise<void> {
  if ((await unlessMissing(stat(whyFile(choice)))) !== undefined) return;
  const why = { format: 'whetstone-stand-in', version: 1, for: placeOf(choice), note };
  await durableWrite(whyFile(choice), `${JSON.stringify(why)}\n`, { mode: 0o600 });
}

async function sharedFolder({ root }: WorkspaceStateChoice, otherwise: string): Promise<string> {
  if (root === undefined) return otherwise;
  return (await realFolder(root, path.join(root, stateFolderName))).real ?? otherwise;
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
