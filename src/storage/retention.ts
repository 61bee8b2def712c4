import { backupsFolder } from './backups.js';
import { pruneFolder } from './contentStore.js';
import { temporaryEnding } from './durableWrite.js';
import { namedBackups } from './namedBackups.js';
import { repliesFolder } from './replies.js';
import type { UserStore } from './store.js';
import { textsFolder } from './texts.js';

const dayMs = 24 * 60 * 60 * 1000;
/** Answers of models may hold what the person works on: they are not kept for longer than they are useful. */
const keptDays = 30;

/** How many files of each kind went. */
export interface Pruned {
  readonly replies: number;
  readonly texts: number;
  readonly backups: number;
  readonly leftovers: number;
}

/** Removes what has had its time. A backup that a receipt names never goes, however old it is. */
export async function prune(store: UserStore): Promise<Pruned> {
  const now = store.clock.now();
  const olderThan = now - keptDays * dayMs;
  const needed = await namedBackups(store);
  return {
    leftovers: await pruneFolder(store.folder, now - dayMs, (name) => !name.endsWith(temporaryEnding)),
    replies: await pruneFolder(repliesFolder(store), olderThan),
    texts: await pruneFolder(textsFolder(store), olderThan),
    backups: needed === undefined ? 0 : await pruneFolder(backupsFolder(store), olderThan, (name) => needed.has(name)),
  };
}
