import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../errors.js';
import { workspaceAround } from '../storage/files/workspaceAround.js';

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
export async function readQueueSecret({ file, ...here }: SecretSources): Promise<string> {
  const { environment } = here;
  const named = file ?? environment['WHETSTONE_QUEUE_SECRET_FILE'];
  const text = named === undefined ? environment['WHETSTONE_QUEUE_SECRET'] : await readSecretFile(named, here);
  const secret = text?.trim() ?? '';
  if (secret === '') throw new UserError('usage', 'The queue has no secret.', howToGive);
  if (secret.length < leastLength)
    throw new UserError('usage', `The secret of the queue has fewer than ${leastLength} characters.`, howToMake);
  return secret;
}

const howToMake = 'Make one: openssl rand -hex 32 > secret; chmod 600 secret. Give the same file to both sides.';
const howToGive = `Name its file with --secret-file, or set WHETSTONE_QUEUE_SECRET. ${howToMake}`;

type Surroundings = Pick<SecretSources, 'environment' | 'platform'>;

async function readSecretFile(file: string, { environment, platform }: Surroundings): Promise<string> {
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined)
    throw new UserError('usage', `There is no file ${file} with the secret of the queue.`, howToMake);
  const { mode } = await stat(real);
  const others = (await isCredential(real, environment)) ? 0o037 : 0o077;
  if (platform !== 'win32' && (mode & others) !== 0)
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

/**
 * What systemd hands to a service, in a folder that nobody else enters. A service with a user of its own gets it through
 * an access list, which looks as if its group could read it.
 */
async function isCredential(real: string, environment: SecretSources['environment']): Promise<boolean> {
  const named = environment['CREDENTIALS_DIRECTORY'] ?? '';
  const folder = path.isAbsolute(named) ? await realpath(named).catch(() => undefined) : undefined;
  return folder !== undefined && path.dirname(real) === folder;
}
