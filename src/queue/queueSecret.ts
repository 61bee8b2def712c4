import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../errors.js';

const leastLength = 24;

interface SecretSources {
  /** A file that the person named. */
  readonly file: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/**
 * The secret that both sides of a queue were given: from a file that only its owner can read and that lies in no
 * workspace, or from WHETSTONE_QUEUE_SECRET. Nothing in a workspace can say it.
 */
export async function readQueueSecret({ file, environment, platform }: SecretSources): Promise<string> {
  const named = file ?? environment['WHETSTONE_QUEUE_SECRET_FILE'];
  const text = named === undefined ? environment['WHETSTONE_QUEUE_SECRET'] : await readSecretFile(named, platform);
  const secret = text?.trim() ?? '';
  if (secret === '') throw new UserError('usage', 'The queue has no secret.', howToGive);
  if (secret.length < leastLength)
    throw new UserError('usage', `The secret of the queue has fewer than ${leastLength} characters.`, howToMake);
  return secret;
}

const howToMake = 'Make one: openssl rand -hex 32 > secret; chmod 600 secret. Give the same file to both sides.';
const howToGive = `Name its file with --secret-file, or set WHETSTONE_QUEUE_SECRET. ${howToMake}`;

async function readSecretFile(file: string, platform: NodeJS.Platform): Promise<string> {
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined)
    throw new UserError('usage', `There is no file ${file} with the secret of the queue.`, howToMake);
  const { mode } = await stat(real);
  if (platform !== 'win32' && (mode & 0o077) !== 0)
    throw new UserError('usage', `Others can read ${file}, the secret of the queue.`, `Run: chmod 600 ${file}`);
  const workspace = workspaceAround(path.dirname(real));
  if (workspace !== undefined)
    throw new UserError(
      'usage',
      `The secret of the queue lies in a workspace (${workspace}), which others may get a copy of.`,
      'Move it out of there, such as to ~/.config/whetstone/queue-secret.',
    );
  return readFile(real, 'utf8');
}

function workspaceAround(folder: string): string | undefined {
  if (['.whetstone', '.git'].some((name) => existsSync(path.join(folder, name)))) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : workspaceAround(parent);
}
