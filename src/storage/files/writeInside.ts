import { constants, type FileHandle, mkdir, open, realpath, rm, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.js';
import { durableWrite, type DurableWriteOptions } from './durableWrite.js';
import { hasCode, unlessMissing } from './fileErrors.js';
import { isInside } from '../../isInside.js';
import { nearestExisting } from './insideFolder.js';

/**
 * The door through which every file of a workspace is written: its state, its tasks, its record, its prompts. `within` is
 * a real path that was found when the skill was opened, and is not resolved again: a folder that became a link since,
 * its own or one below it, leads out and is refused. Looked at before the first byte and again before the file appears
 * under its name.
 */
export async function writeInside(
  within: string,
  file: string,
  content: string | Uint8Array,
  options: DurableWriteOptions = {},
): Promise<void> {
  await openFolder(within, path.dirname(file), folderMode(options));
  await writeIntoOpen(within, file, content, options);
}

/** Many files at the same time, into folders that are each looked at once before the first byte. */
export async function writeAllInside(
  within: string,
  files: ReadonlyMap<string, string>,
  options: DurableWriteOptions,
): Promise<void> {
  const mode = folderMode(options);
  const folders = [...new Set([...files.keys()].map((file) => path.dirname(file)))];
  // Those above first: otherwise each of those in them would find nothing and look for the nearest that is there.
  for (const above of new Set(folders.map((folder) => path.dirname(folder))))
    if (isInside(within, above)) await openFolder(within, above, mode);
  await Promise.all(folders.map((folder) => openFolder(within, folder, mode)));
  await Promise.all([...files].map(([file, content]) => writeIntoOpen(within, file, content, options)));
}

function folderMode({ mode }: DurableWriteOptions): number {
  return mode === 0o600 ? 0o700 : 0o777;
}

async function writeIntoOpen(
  within: string,
  file: string,
  content: string | Uint8Array,
  options: DurableWriteOptions,
): Promise<void> {
  const beforeRename = async (): Promise<void> => {
    await refuseLeaving(within, path.dirname(file));
    await options.beforeRename?.();
  };
  await durableWrite(file, content, { ...options, beforeRename });
}

/** The same for a file that grows. A link in its place is not followed; one that was made elsewhere is taken away. */
export async function appendInside(within: string, file: string, mode: number): Promise<FileHandle> {
  const folder = path.dirname(file);
  await openFolder(within, folder, 0o700);
  const made = await openToAppend(file, constants.O_CREAT | constants.O_EXCL, mode);
  const handle = made ?? (await openToAppend(file, 0, mode));
  if (handle === undefined) throw leadsOut(within, folder); // there and not there: a link to nothing
  try {
    await refuseLeaving(within, folder);
    return handle;
  } catch (error) {
    await handle.close();
    if (made !== undefined) await unlink(file).catch(() => undefined); // why nothing is written is said
    throw error;
  }
}

/** Undefined where the file is there already though it must be made, or is not though it must be. */
async function openToAppend(file: string, how: number, mode: number): Promise<FileHandle | undefined> {
  const { O_APPEND, O_RDWR, O_NOFOLLOW } = constants; // the last is undefined on Windows, which counts as 0
  try {
    return await open(file, O_APPEND | O_RDWR | O_NOFOLLOW | how, mode);
  } catch (error) {
    if (hasCode(error, 'EEXIST', 'ENOENT')) return undefined;
    throw error;
  }
}

/** Removes a file or a folder, and nothing that a link leads to. One that is not there is gone already. */
export async function removeInside(within: string, place: string): Promise<void> {
  const folder = await unlessMissing(realpath(path.dirname(place)));
  if (folder === undefined) return;
  if (!isInside(within, folder)) throw leadsOut(within, path.dirname(place));
  await rm(place, { recursive: true, force: true });
}

/** Removes a folder where it is empty, and then each around it that is, up to `within`, which stays. */
export async function removeEmptyInside(within: string, folder: string): Promise<void> {
  const [root, real] = [await realpath(within), await unlessMissing(realpath(folder))];
  if (real === undefined || real === root || !isInside(root, real)) return;
  try {
    await rmdir(real);
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST')) return;
    throw error;
  }
  await removeEmptyInside(root, path.dirname(real));
}

/** Throws where a link leads `folder` out of `within`, a real path. */
export async function refuseLeaving(within: string, folder: string): Promise<void> {
  if (!isInside(within, await realpath(folder))) throw leadsOut(within, folder);
}

/** Made where it is missing; what only this user may read lies in a folder that only they may open. */
async function openFolder(within: string, folder: string, mode: number): Promise<void> {
  try {
    await refuseLeaving(within, folder);
  } catch (error) {
    if (hasCode(error, 'ENOTDIR')) throw inTheWay(folder, error);
    if (!hasCode(error, 'ENOENT')) throw error;
    await makeFolder(within, folder, mode);
    await refuseLeaving(within, folder);
  }
}

async function makeFolder(within: string, folder: string, mode: number): Promise<void> {
  if (await isMadeBelow(within, folder, mode)) return;
  const existing = await nearestExisting(folder);
  const real = await realpath(existing);
  const leadsThere = isInside(within, real) || (real === existing && isInside(existing, within));
  if (!leadsThere) throw leadsOut(within, existing);
  try {
    await mkdir(folder, { recursive: true, mode });
  } catch (error) {
    // A link to where nothing is yet: it is there, and still no folder can be found or made.
    throw hasCode(error, 'EEXIST', 'ENOENT', 'ENOTDIR') ? leadsOut(within, folder) : error;
  }
}

/** Whether only the last folder was missing, as it is all but the first time, and is made. */
async function isMadeBelow(within: string, folder: string, mode: number): Promise<boolean> {
  const above = await unlessMissing(realpath(path.dirname(folder)));
  if (above === undefined || !isInside(within, above)) return false;
  try {
    await mkdir(folder, { mode });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST', 'ENOENT')) return false; // another writer, a link to nothing, or what is above went away
    throw error;
  }
}

function inTheWay(folder: string, cause: unknown): UserError {
  return new UserError(
    'store-unusable',
    `${folder} is no folder, and none can be made there: a file stands in the way.`,
    'Move that file away, then try again.',
    { cause },
  );
}

function leadsOut(within: string, folder: string): UserError {
  return new UserError(
    'leads-outside',
    `${folder} is or became a link that leads out of ${within}, so nothing was written there.`,
    'Remove the link, or work on the files where it leads to.',
  );
}
