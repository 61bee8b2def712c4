import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { HarvestPlace } from '../../harvest/places.js';
import type { HarvestSource } from '../../harvest/session.js';
import { isInside } from '../../isInside.js';

/** A file with sessions, which is there. */
export interface SessionFile {
  readonly source: HarvestSource;
  readonly form: HarvestPlace['form'];
  /** The real path. */
  readonly path: string;
  readonly bytes: number;
  /** In milliseconds since 1970. */
  readonly modified: number;
}

/**
 * The files of these places, newest first, each once however many links lead to it. A link that leads out of the folder
 * of its place is not followed, and what is no plain file is not opened. Reads the names in folders, and no file.
 */
export async function findSessionFiles(
  places: readonly HarvestPlace[],
  signal: AbortSignal,
): Promise<readonly SessionFile[]> {
  const found = new Map<string, SessionFile>();
  for (const place of places) {
    const root = await realpath(place.folder).catch(() => undefined);
    if (root === undefined) continue;
    for await (const file of filesIn(root, root, place.files)) {
      signal.throwIfAborted();
      const session = await sessionFile(place, file);
      if (session !== undefined && !found.has(file)) found.set(file, session);
    }
  }
  const logs = new Set([...found.keys()].filter((file) => file.endsWith('.jsonl')));
  // Where a session is there in both forms, the log is the newer one.
  const files = [...found.values()].filter(
    ({ path: file }) => !logs.has(file.replace(/\.json$/u, '.jsonl')) || logs.has(file),
  );
  return files.toSorted((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1));
}

/** The real paths that fit the names, a folder each but the last. */
async function* filesIn(root: string, folder: string, names: readonly string[]): AsyncGenerator<string> {
  const [name = '', ...rest] = names;
  const fits = patternOf(name);
  for (const entry of await entriesIn(folder)) {
    if (!fits.test(entry.name)) continue;
    const inside = await realInside(root, path.join(folder, entry.name), entry);
    if (inside === undefined) continue;
    if (rest.length === 0) yield inside;
    else yield* filesIn(root, inside, rest);
  }
}

function entriesIn(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []); // not a folder, or not ours to read
}

async function realInside(root: string, entry: string, kind: Dirent): Promise<string | undefined> {
  if (!kind.isSymbolicLink()) return entry;
  const real = await realpath(entry).catch(() => undefined);
  return real !== undefined && isInside(root, real) ? real : undefined;
}

/** A star stands for any signs of one name. */
function patternOf(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/gu, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'su');
}

async function sessionFile({ source, form }: HarvestPlace, file: string): Promise<SessionFile | undefined> {
  const found = await lstat(file).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  // What was last written to a database stands beside it, until it is taken in.
  const log = form === 'database' ? await lstat(`${file}-wal`).catch(() => undefined) : undefined;
  return {
    source,
    form,
    path: file,
    bytes: found.size + (log?.size ?? 0),
    modified: Math.max(found.mtimeMs, log?.mtimeMs ?? 0),
  };
}
