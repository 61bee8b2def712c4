import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../isInside.js';

/** Asked with the real path of a folder of git, or of files that it stored. */
export type MayRead = (place: string) => boolean;

/**
 * The first place that git would read from for this folder of git, and that may not be read; undefined where there is none.
 * A file in the place of `.git`, a link or a list of alternates can name any folder of the machine. A work folder that a
 * repository itself lists as one of its own counts as the repository.
 */
export async function foreignPlace(gitFolder: string, mayRead: MayRead): Promise<string | undefined> {
  const own = await realpath(gitFolder);
  const shared = await pathIn(path.join(own, 'commondir'));
  const common = shared === undefined ? own : await realpath(shared);
  const isListed = path.dirname(own) === path.join(common, 'worktrees');
  const listed = isListed ? await pathIn(path.join(own, 'gitdir')) : undefined;
  const work = listed === undefined ? undefined : await realpath(listed).catch(() => undefined);
  const foreign = (work === undefined ? [own, common] : [work]).find((place) => !mayRead(place));
  const isOwn = (place: string): boolean => isInside(common, place) || mayRead(place);
  return foreign ?? foreignStore(path.join(common, 'objects'), isOwn, new Set());
}

/** The path that a file of git holds. */
async function pathIn(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : path.resolve(path.dirname(file), text.replace(/\r?\n$/u, ''));
}

/** Nothing is looked at that may not be read. Links in a store must stay in it, where they are looked at too. */
async function foreignStore(objects: string, isOwn: MayRead, seen: Set<string>): Promise<string | undefined> {
  const store = await realpath(objects).catch(() => objects);
  if (!isOwn(store)) return store;
  if (seen.has(store)) return undefined;
  seen.add(store);
  for (const each of await readdir(store, { withFileTypes: true, recursive: true }).catch(() => [])) {
    if (!each.isSymbolicLink()) continue;
    const place = await realpath(path.join(each.parentPath, each.name)).catch(() => store);
    if (!isInside(store, place)) return place;
  }
  const alternates = await readFile(path.join(store, 'info', 'alternates'), 'utf8').catch(() => '');
  for (const line of alternates.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    if (line.startsWith('"')) return line; // git reads what is in quotes otherwise than it stands there
    const foreign = await foreignStore(path.resolve(store, line), isOwn, seen);
    if (foreign !== undefined) return foreign;
  }
  return undefined;
}
