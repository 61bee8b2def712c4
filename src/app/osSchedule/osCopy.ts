import { copyFile, mkdir, readFile, rename, rm, unlink } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { sha256 } from '../../hash.js';

/** The command line and what it loads, in the order copied: the one that is started comes last. */
const parts: readonly string[] = ['errors.js', 'core.js', 'cli.js'];

/**
 * Copies the command line to a place that no update of the extension touches. Each file is whole or not there at all;
 * a night that starts in between fails and says so. True where anything changed.
 */
export async function copyProgram(cli: string, copy: string): Promise<boolean> {
  const [from, to] = [path.dirname(cli), path.dirname(copy)];
  await mkdir(to, { recursive: true, mode: 0o700 });
  let changed = false;
  for (const part of parts) changed = (await copyPart(path.join(from, part), path.join(to, part))) || changed;
  return changed;
}

export async function removeProgram(copy: string): Promise<void> {
  await rm(path.dirname(copy), { recursive: true, force: true });
}

async function copyPart(from: string, to: string): Promise<boolean> {
  const [now, then] = await Promise.all([readFile(from), unlessMissing(readFile(to))]);
  if (then !== undefined && sha256(then) === sha256(now)) return false;
  const fresh = `${to}.new`;
  await unlessMissing(unlink(fresh));
  await copyFile(from, fresh);
  await rename(fresh, to);
  return true;
}
