import { statfs } from 'node:fs/promises';
import { hasCode } from '../files/fileErrors.js';

/** How many bytes are free where a folder lies; undefined where the system does not tell. */
export async function freeBytes(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined);
  return found === undefined ? undefined : found.bavail * found.bsize;
}

/** What a copy of a database takes: itself, the indexes that are made on it, and its log once that is taken in. */
export function bytesOfCopy(bytes: number): number {
  return bytes * 1.5;
}

/** Whether something ended because the disk is full, by what the system says or by what SQLite does. */
export function isDiskFull(error: unknown): boolean {
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) return true;
  if (!(error instanceof Error)) return false;
  return ('errcode' in error && error.errcode === sqliteFull) || isDiskFull(error.cause);
}

const sqliteFull = 13;
