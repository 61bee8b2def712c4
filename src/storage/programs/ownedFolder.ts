import { randomBytes } from 'node:crypto';
import { lstat, mkdtemp, readdir, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../parseJson.js';
import { livenessOf, thisProcess } from '../files/runningProcess.js';
import { readPlainFile } from './readPlainFile.js';
import { endMarked } from './strayProcesses.js';
import { removeFolder } from './throwAwayCopy.js';

/**
 * A folder for temporary files that says whose it is. Whoever made it removes it; where that process was killed, the next
 * one that makes a folder of the kind ends what runs with its mark, and removes it.
 */
export interface OwnedFolder {
  /** The real path: a program that is told another one than it finds asks whether it may work there. */
  readonly path: string;
  /** Drawn for this folder alone: what is started in it carries it in its environment. */
  readonly mark: string;
}

/** Beside the folders that programs are given, never in one of them. */
const ownerFile = 'owner.json';
const longestOwner = 4_096;

const ownerSchema = z.object({
  host: z.string(),
  boot: z.string(),
  pid: z.number().int(),
  started: z.string().optional(),
  mark: z.string().regex(/^[0-9a-f]{32}$/),
});

/** Does `work` in a new folder of `place` whose name begins with `prefix`, and removes it afterwards. */
export async function inOwnedFolder<T>(
  place: string,
  prefix: string,
  work: (folder: OwnedFolder) => Promise<T>,
): Promise<T> {
  await sweepNowAndThen(place, prefix);
  const folder = await realpath(await mkdtemp(path.join(place, prefix)));
  try {
    const mark = randomBytes(16).toString('hex');
    await writeFile(path.join(folder, ownerFile), JSON.stringify({ ...(await thisProcess()), mark }), { mode: 0o600 });
    return await work({ path: folder, mark });
  } finally {
    await removeFolder(folder);
  }
}

const sweepEveryMs = 10 * 60_000;
const swept = new Map<string, { readonly at: number; readonly done: Promise<void> }>();

/** A window lives for days, and asks a program thousands of times. */
function sweepNowAndThen(place: string, prefix: string): Promise<void> {
  const key = path.join(place, prefix);
  const before = swept.get(key);
  if (before !== undefined && performance.now() - before.at < sweepEveryMs) return before.done;
  const done = sweepFolders(place, prefix);
  swept.set(key, { at: performance.now(), done });
  return done;
}

/** Removes the folders of this user whose owners are dead, and ends what they left running. Whatever fails, others may. */
export async function sweepFolders(place: string, prefix: string): Promise<void> {
  const names = await readdir(place).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const folder = path.join(place, name);
    const left = await leftBehind(folder).catch(() => undefined);
    if (left === undefined) continue;
    if (left.mark !== undefined) await endMarked(left.mark);
    await removeFolder(folder);
  }
}

const surelyOverMs = 7 * 24 * 60 * 60_000; // where nobody can tell whether its owner lives, as after a crash while it was made

async function leftBehind(folder: string): Promise<{ readonly mark: string | undefined } | undefined> {
  const found = await lstat(folder); // a link is not followed
  if (!found.isDirectory() || found.uid !== ownUser(found.uid)) return undefined;
  const owner = ownerSchema.safeParse(
    parseJson((await readPlainFile(path.join(folder, ownerFile), longestOwner)) ?? ''),
  ).data;
  const liveness =
    owner === undefined ? 'unknown' : await livenessOf({ ...owner, started: owner.started }, await thisProcess());
  if (liveness === 'alive') return undefined;
  if (liveness === 'unknown' && Date.now() - found.mtimeMs < surelyOverMs) return undefined;
  return { mark: owner?.mark };
}

/** Windows has no numbers for users; its folder for temporary files is the person's own. */
function ownUser(otherwise: number): number {
  return process.getuid?.() ?? otherwise;
}
