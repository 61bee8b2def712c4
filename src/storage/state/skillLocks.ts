import path from 'node:path';
import { sha256 } from '../../hash.js';
import { filePace, type HeldLock, type LockRequest, runPace, withLock } from '../files/lock.js';
import type { SkillStore, UserStore } from './store.js';

/** Held while a run works on a skill: one run a skill over all windows and processes. */
export function runLock(store: SkillStore, what: string): LockRequest {
  return { ...shared(store), key: `run-${store.places.lockKey}`, what, pace: runPace };
}

/** Held for the moment in which the file at a real path, or what hangs on it, is changed. */
export function fileLock(store: UserStore, realPath: string, what: string): LockRequest {
  return { ...shared(store), key: `file-${sha256(realPath)}`, what, pace: filePace };
}

const waitMs = 10_000; // twice the stale time: a killed holder delays, it does not refuse

/** Does `work` while holding the locks of all these files, taken one after the other in the order given. */
export async function withFileLocks<T>(
  store: UserStore,
  files: { readonly paths: readonly string[]; readonly what: string },
  signal: AbortSignal,
  work: (held: readonly HeldLock[]) => Promise<T>,
): Promise<T> {
  const [first, ...rest] = files.paths;
  if (first === undefined) return work([]);
  return withLock(fileLock(store, first, files.what), waitMs, signal, (lock) =>
    withFileLocks(store, { ...files, paths: rest }, signal, (held) => work([lock, ...held])),
  );
}

function shared({ folder, clock, self, probe }: UserStore) {
  return { folder: path.join(folder, 'locks'), clock, self, probe };
}
