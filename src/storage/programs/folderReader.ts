import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { canonicalJson, sha256 } from '../../hash.js';
import type { WorkTree } from '../../ports/agentWork.js';
import { leftOut } from './throwAwayCopy.js';
import { treeOfFolder } from './workplace/workTree.js';

/** The files of a folder, or the one of them that is named. */
export type ReadFolder = (folder: string, only: string | undefined, signal: AbortSignal) => Promise<WorkTree>;

export const readFolder: ReadFolder = (folder, only, signal) => treeOfFolder(folder, signal, takenOf(only));

interface KeptTree {
  readonly stamp: string;
  readonly tree: Promise<WorkTree>;
}

/**
 * Reads folders, and gives what it read before for as long as no file of it has changed, by the times that the system
 * keeps of each. What changed within the last seconds is read anew: a second change may leave the same times.
 */
export class FolderReader {
  readonly #now: () => number;
  readonly #kept = new Map<string, KeptTree>();

  constructor(now: () => number) {
    this.#now = now;
  }

  readonly read: ReadFolder = async (folder, only, signal) => {
    const stamp = await this.#settledStamp(folder, only, signal);
    if (stamp === undefined) return readFolder(folder, only, signal);
    const place = JSON.stringify([folder, only]);
    const kept = this.#kept.get(place);
    // One that was given up with another run is read anew.
    const known = kept?.stamp === stamp ? await kept.tree.catch(() => undefined) : undefined;
    if (known !== undefined) return known;
    const tree = readFolder(folder, only, signal);
    if (this.#kept.size >= mostKept) this.#kept.clear();
    this.#kept.set(place, { stamp, tree });
    return tree;
  };

  /** Undefined where there is none to go by. */
  async #settledStamp(folder: string, only: string | undefined, signal: AbortSignal): Promise<string | undefined> {
    const before = this.#now() - settledMs;
    const seen: SeenFile[] = [];
    try {
      await lookAt(folder, '', { isTaken: takenOf(only), seen }, signal);
    } catch {
      signal.throwIfAborted();
      return undefined; // whoever reads it says what is wrong
    }
    if (seen.some(({ changedAt }) => changedAt > before)) return undefined;
    return sha256(canonicalJson(seen));
  }
}

const settledMs = 3_000;
const mostKept = 32;

function takenOf(only: string | undefined): (name: string) => boolean {
  return (name) => only === undefined || name === only;
}

interface SeenFile {
  readonly name: string;
  readonly changedAt: number;
  /** Its times, its size, its mode, and which file it is. */
  readonly told: readonly string[];
}

interface Looking {
  readonly isTaken: (name: string) => boolean;
  readonly seen: SeenFile[];
}

/** As it is read, without the bytes. */
async function lookAt(folder: string, inside: string, looking: Looking, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const names = (await readdir(path.join(folder, inside))).toSorted();
  for (const each of names) {
    const name = path.posix.join(inside, each);
    if (leftOut.has(each.toLowerCase()) || !looking.isTaken(name)) continue;
    const found = await lstat(path.join(folder, name), { bigint: true });
    const { ctimeNs, mtimeNs, size, mode, ino } = found;
    looking.seen.push({
      name,
      changedAt: Number(ctimeNs / 1_000_000n),
      told: [ctimeNs, mtimeNs, found.isDirectory() ? 0n : size, mode, ino].map(String),
    });
    if (found.isDirectory()) await lookAt(folder, name, looking, signal);
  }
}
