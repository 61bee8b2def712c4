import { chmod, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isPassing, messageOf, UserError } from '../../errors.js';

/** The machine as far as it decides where things lie. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/** Where this user's own state lies. `WHETSTONE_HOME` overrides; relative paths in the environment are not guessed at. */
export function userStateFolder({ environment, platform, home }: Surroundings): string {
  const chosen = environment['WHETSTONE_HOME'];
  if (chosen !== undefined && chosen !== '') return absoluteOrRefuse(chosen);
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Whetstone');
  if (platform === 'win32') {
    return path.join(absoluteOr(environment['LOCALAPPDATA'], path.join(home, 'AppData', 'Local')), 'Whetstone');
  }
  return path.join(absoluteOr(environment['XDG_STATE_HOME'], path.join(home, '.local', 'state')), 'whetstone');
}

/** Makes the user state folder, closed to other users, and gives its path. */
export async function makeUserState(surroundings: Surroundings): Promise<string> {
  const folder = userStateFolder(surroundings);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await closeToOthers(folder);
  } catch (error) {
    if (isPassing(error)) throw error;
    throw new UserError(
      'store-unusable',
      `Whetstone cannot keep its state in ${folder}: ${messageOf(error).replace(/\.$/u, '')}.`,
      'Set WHETSTONE_HOME to a folder of your own that can be written to.',
      { cause: error },
    );
  }
  return folder;
}

async function closeToOthers(folder: string): Promise<void> {
  if (process.getuid === undefined) return;
  const found = await stat(folder);
  if (!found.isDirectory()) throw new Error('it is not a folder');
  if (found.uid !== process.getuid()) throw new Error('it belongs to another user');
  if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

function absoluteOr(given: string | undefined, otherwise: string): string {
  return given !== undefined && path.isAbsolute(given) ? given : otherwise;
}

function absoluteOrRefuse(given: string): string {
  if (path.isAbsolute(given)) return path.normalize(given);
  throw new UserError(
    'store-unusable',
    `WHETSTONE_HOME is the relative path ${given}.`,
    'Set WHETSTONE_HOME to an absolute path.',
  );
}
