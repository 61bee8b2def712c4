import { readdir, readFile, stat, unlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { durableWrite, type DurableWriteOptions } from './durableWrite.js';
import { unlessMissing } from './fileErrors.js';
import { sha256 } from '../../hash.js';
import { writeInto } from './insideFolder.js';
import type { UserStore } from '../state/store.js';
import type { TextStore } from '../../ports/stores.js';

const hashForm = /^[0-9a-f]{64}$/;

/**
 * Bytes found by their hash, in sharded folders, readable by this user alone. What does not hash to its name counts as
 * not there: nobody can put other bytes under a hash that a receipt or a journal names.
 */
async function putBytes(
  folder: string,
  bytes: Uint8Array,
  within: string,
  options: Pick<DurableWriteOptions, 'survives'> = {},
): Promise<string> {
  const hash = sha256(bytes);
  const file = fileOf(folder, hash);
  if ((await getBytes(folder, hash)) !== undefined) {
    await utimes(file, new Date(), new Date()); // used again: its time to be kept starts anew
    return hash;
  }
  await writeInto(within, file, () => durableWrite(file, bytes, { mode: 0o600, ...options }));
  return hash;
}

/** The bytes whose hash this is, or undefined: also where other bytes lie under that name. */
async function getBytes(folder: string, hash: string): Promise<Uint8Array | undefined> {
  if (!hashForm.test(hash)) return undefined;
  const bytes = await unlessMissing(readFile(fileOf(folder, hash)));
  return bytes !== undefined && sha256(bytes) === hash ? bytes : undefined;
}

/** Which files of a folder stay, and whether somebody has no more time for the others. */
interface PruneOptions {
  readonly keep?: (name: string) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Removes what was last written before `olderThan` and is not to be kept. Gives how many files went. */
export async function pruneFolder(
  folder: string,
  olderThan: number,
  { keep = () => false, signal }: PruneOptions = {},
): Promise<number> {
  const entries = (await unlessMissing(readdir(folder, { recursive: true, withFileTypes: true }))) ?? [];
  let removed = 0;
  for (const entry of entries.filter((found) => found.isFile() && !keep(found.name))) {
    if (signal?.aborted === true) break;
    const file = path.join(entry.parentPath, entry.name);
    const found = await unlessMissing(stat(file));
    if (found === undefined || found.mtimeMs >= olderThan) continue;
    await unlessMissing(unlink(file));
    removed += 1;
  }
  return removed;
}

function fileOf(folder: string, hash: string): string {
  return path.join(folder, hash.slice(0, 2), hash);
}

/** Keeps bytes for good and gives the hash they are found by: no version of a skill is ever lost by adopting. */
export async function keepBackup(store: UserStore, bytes: Uint8Array): Promise<string> {
  return putBytes(backupsFolder(store), bytes, store.folder);
}

/** The bytes of that hash, or undefined where they are gone or were changed. */
export async function readBackup(store: UserStore, hash: string): Promise<Uint8Array | undefined> {
  return getBytes(backupsFolder(store), hash);
}

/** Sharded by hash; `clean` and retention alone take files out of it. */
export function backupsFolder({ folder }: Pick<UserStore, 'folder'>): string {
  return path.join(folder, 'backups');
}

/**
 * Texts that journals name by hash (answers, patches), in user state. A text that was tampered with is not found. A
 * kill loses none; a power cut may lose the last few, which a run that goes on writes again where it can.
 */
export function openTexts(store: UserStore): TextStore {
  const folder = textsFolder(store);
  return {
    put: (text) => putBytes(folder, Buffer.from(text, 'utf8'), store.folder, { survives: 'process' }),
    get: async (hash) => {
      const bytes = await getBytes(folder, hash);
      return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
    },
  };
}

/** Texts older than thirty days go; a run that needs them cannot be resumed then. */
export function textsFolder(store: Pick<UserStore, 'folder'>): string {
  return path.join(store.folder, 'texts');
}
