import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.js';
import { readQueueAddress } from '../queueAddress.js';

/** What the machine's settings say of a queue, as they are written. */
export interface QueueWishes {
  /** An address without a password, a file that holds one, `off`, or nothing. */
  readonly address: string;
  readonly secretFile: string;
  readonly commandLine: string;
}

interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/** How the place is called before it was reached; '' where what is written there is a file or no address: it may be a password. */
export function shownPlace({ address }: QueueWishes, { environment }: Pick<Surroundings, 'environment'>): string {
  const named = address.trim() === '' ? (environment['WHETSTONE_QUEUE'] ?? '') : address.trim();
  try {
    return readQueueAddress(named).shown;
  } catch (error) {
    if (error instanceof UserError) return '';
    throw error;
  }
}

/**
 * The whole address. A password stands in no settings file, which people show and copy: it is in a file that only its
 * owner can read, or in the environment.
 */
export async function addressOfWindow({ address }: QueueWishes, here: Surroundings): Promise<string> {
  const named = address.trim();
  const whole = named === '' ? (here.environment['WHETSTONE_QUEUE'] ?? '') : await addressNamed(named, here);
  readQueueAddress(whole);
  return whole;
}

async function addressNamed(named: string, here: Surroundings): Promise<string> {
  if (!isAddress(named)) return readAddressFile(atHome(named, here.home), here.platform);
  if (URL.canParse(named) && new URL(named).password !== '')
    throw new UserError(
      'usage',
      'The address in the setting whetstone.queue holds a password, and settings are no place for one.',
      'Write the whole address into a file that only you can read and put the path of that file in the place of the address, or set WHETSTONE_QUEUE.',
    );
  return named;
}

function isAddress(text: string): boolean {
  return /^[a-z]+:\/\//iu.test(text);
}

/** A path that begins with `~` is one of the person's home. */
export function atHome(place: string, home: string): string {
  return /^~[\\/]/u.test(place) ? path.join(home, place.slice(2)) : place;
}

async function readAddressFile(file: string, platform: NodeJS.Platform): Promise<string> {
  const write = 'Write redis://localhost:6379, rediss://host:6380, or the whole path of a file that holds the address.';
  if (!path.isAbsolute(file))
    throw new UserError(
      'usage',
      'What the setting whetstone.queue names is no address of Redis and no whole path.',
      write,
    );
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined)
    throw new UserError(
      'usage',
      `The address in the setting whetstone.queue (${file}) is none of Redis, and there is no such file.`,
      write,
    );
  const { mode } = await stat(real);
  if (platform !== 'win32' && (mode & 0o077) !== 0)
    throw new UserError('usage', `Others can read ${file}, the address of the queue.`, `Run: chmod 600 ${file}`);
  return (await readFile(real, 'utf8')).trim();
}
