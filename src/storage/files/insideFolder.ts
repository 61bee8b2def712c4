import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.js';
import { isInside } from '../../isInside.js';
import { hasCode } from './fileErrors.js';

/**
 * Makes `folder` with its parents and refuses one that a link leads out of `within`: a clone may bring such links, and
 * what we write must never land where they point.
 */
export async function makeFolderInside(within: string, folder: string, mode = 0o700): Promise<void> {
  const existing = await nearestExisting(folder);
  await refuseOutside(within, existing);
  await mkdir(folder, { recursive: true, mode });
  await refuseOutside(within, folder);
}

/**
 * Writes a file in this user's own state, and makes its folder only where that is missing: a run writes hundreds of
 * files into the same few folders, and looking at each folder first costs more than the file.
 */
export async function writeInto(within: string, file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    await makeMissing(within, path.dirname(file));
    await write();
  }
}

/** One call where only the last folder is missing, which is all but the first time. */
async function makeMissing(within: string, folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return; // another writer was faster
    await makeFolderInside(within, folder);
  }
}

/** Throws where a link leads `folder` out of `within`. */
async function refuseOutside(within: string, folder: string): Promise<void> {
  const [outer, inner] = await Promise.all([realpath(within), realpath(folder)]);
  if (isInside(outer, inner)) return;
  throw new UserError(
    'store-unusable',
    `${folder} is a link that leads out of ${within}.`,
    'Remove the link; Whetstone makes the folder anew.',
  );
}

/** The folder, or the nearest above it that can be found. */
export async function nearestExisting(folder: string): Promise<string> {
  try {
    await realpath(folder);
    return folder;
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? folder : nearestExisting(parent);
  }
}
