import { mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { isPassing } from '../../errors.js';
import { hasCode } from '../files/fileErrors.js';

/**
 * Why a folder can never hold state, as the end of a sentence, or undefined where it can: files can be created
 * exclusively and renamed over each other. Some network and sync file systems accept writes and fail at these. What
 * passes (a full disk, a drive that does not answer) is no property of a folder and is thrown.
 */
export async function fileSystemFault(folder: string): Promise<string | undefined> {
  let trial: string | undefined;
  try {
    trial = await mkdtemp(path.join(folder, '.whetstone-test-'));
    return (await exclusiveCreateFault(trial)) ?? (await renameFault(trial));
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return 'is read-only';
    throw error;
  } finally {
    // What the test came to counts, not whether its traces could be taken away.
    if (trial !== undefined) await rm(trial, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Whether the words of {@link fileSystemFault} say that looking at a folder is not enough to find it mended. */
export function isOfFileSystem(fault: string): boolean {
  return fault.includes('is on a file system that');
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
  } catch (error) {
    if (isPassing(error)) throw error;
    return 'is on a file system that cannot replace a file by renaming';
  }
  return (await readFile(to, 'utf8')) === token ? undefined : 'is on a file system that loses renamed files';
}
