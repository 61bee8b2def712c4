import path from 'node:path';
import { getBytes, putBytes } from '../files/contentStore.js';
import type { UserStore } from '../state/store.js';

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
