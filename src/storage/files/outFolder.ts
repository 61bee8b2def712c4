import { mkdir, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.js';
import { parseJson } from '../../parseJson.js';
import * as z from 'zod';
import { hasCode, unlessMissing } from './fileErrors.js';
import { isInside } from './insideFolder.js';
import { readBounded } from './sealedFile.js';

const Config = z.object({ run: z.string() });

/**
 * A folder that the person named for what a run leaves, as a real path: made where it is missing. Refused where it holds
 * anything, unless it is what the run that goes on left there, and where it lies in the state of the workspace.
 */
export async function openOutFolder(
  folder: string,
  { state, resumed }: { readonly state: string; readonly resumed: string | undefined },
): Promise<string> {
  await made(folder);
  const real = await realpath(folder);
  if (isInside(state, real)) throw refused(`${folder} lies in ${path.basename(state)}, where runs are kept already.`);
  const held = await readdir(real);
  const own = Config.safeParse(parseJson((await readBounded(path.join(real, 'config.json'))) ?? ''));
  const goesOn = resumed !== undefined && own.success && own.data.run === resumed;
  if (held.length > 0 && !goesOn) throw refused(`${folder} is not empty, and a run mixes its files with no others.`);
  return real;
}

async function made(folder: string): Promise<void> {
  const found = await unlessMissing(stat(folder));
  if (found !== undefined && !found.isDirectory()) throw refused(`${folder} is not a folder.`);
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'))
      throw refused(`${folder} cannot be made.`, error);
    throw error;
  }
}

function refused(what: string, cause?: unknown): UserError {
  const options = cause === undefined ? undefined : { cause };
  return new UserError('usage', what, 'Name a folder that is empty or not there yet.', options);
}
