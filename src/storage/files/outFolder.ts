import { mkdir, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.js';
import { parseJson } from '../../parseJson.js';
import * as z from 'zod';
import { hasCode } from './fileErrors.js';
import { isInside } from '../../isInside.js';
import { nearestExisting } from './insideFolder.js';
import { readBounded } from './sealedFile.js';

const Config = z.object({ run: z.string() });

interface OutPlaces {
  /** The state of the workspace. */
  readonly state: string;
  /** The folder of the skill: what lies in it belongs to the skill. */
  readonly skill: string;
  readonly resumed: string | undefined;
}

/**
 * A folder that the person named for what a run leaves, as a real path: made where it is missing. Refused where it holds
 * anything, unless it is what the run that goes on left there, and where it lies in the state of the workspace, in the
 * skill or in what the system makes up.
 */
export async function openOutFolder(folder: string, { resumed, ...places }: OutPlaces): Promise<string> {
  const existing = await nearestExisting(path.resolve(folder));
  await refusePlace(folder, path.join(await realpath(existing), path.relative(existing, path.resolve(folder))), places);
  await made(folder, existing);
  const real = await realpath(folder);
  await refusePlace(folder, real, places);
  const held = await readdir(real);
  const own = Config.safeParse(parseJson((await readBounded(path.join(real, 'config.json'))) ?? ''));
  const goesOn = resumed !== undefined && own.success && own.data.run === resumed;
  if (held.length > 0 && !goesOn) throw refused(`${folder} is not empty, and a run mixes its files with no others.`);
  return real;
}

const ofSystem = process.platform === 'win32' ? [] : ['/proc', '/sys', '/dev'];

async function refusePlace(
  folder: string,
  real: string,
  { state, skill }: Pick<OutPlaces, 'state' | 'skill'>,
): Promise<void> {
  if (isInside(state, real)) throw refused(`${folder} lies in ${path.basename(state)}, where runs are kept already.`);
  if (isInside(await realpath(skill), real)) throw refused(`${folder} lies in the folder of the skill.`);
  const isOfSystem = ofSystem.some((place) => isInside(place, real)) && !isInside('/dev/shm', real); // that is memory
  if (isOfSystem) throw refused(`${folder} cannot be made.`);
}

/** One folder after the other: asked for all at once, Node tries for ever where a file system takes none. */
async function made(folder: string, existing: string): Promise<void> {
  if (!(await stat(existing)).isDirectory()) {
    throw refused(existing === path.resolve(folder) ? `${folder} is not a folder.` : `${folder} cannot be made.`);
  }
  let place = existing;
  for (const name of path.relative(existing, path.resolve(folder)).split(path.sep).filter(Boolean)) {
    place = path.join(place, name);
    try {
      await mkdir(place);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw refused(`${folder} cannot be made.`, error);
    }
  }
}

function refused(what: string, cause?: unknown): UserError {
  const options = cause === undefined ? undefined : { cause };
  return new UserError('usage', what, 'Name a folder that is empty or not there yet.', options);
}
