import path from 'node:path';
import { UserError } from '../../../errors.js';
import type { FolderLeft, WorkEntry } from '../../../ports/agentWork.js';
import { refuseUnlawful, treeOf, treeOfFolder, writeTree } from './workTree.js';
import { clear, refuseLinkedWay } from './writeInside.js';

/*
 * What an agent left, as it goes to whoever judges it on another machine: against what both have already.
 */

type Before = ReadonlyMap<string, WorkEntry>;

/** What is another than before in a folder in which nobody is at work; undefined where there is too much to be read. */
export async function changesIn(folder: string, before: Before, signal: AbortSignal): Promise<FolderLeft | undefined> {
  try {
    const { entries } = await treeOfFolder(folder, signal);
    const there = new Set(entries.map((entry) => entry.path));
    return {
      changed: treeOf(entries.filter((entry) => !isSame(before.get(entry.path), entry))),
      deleted: [...before.keys()].filter((name) => !there.has(name)),
    };
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/**
 * Makes a folder that holds what was there before hold what was left. Whoever sent it may mean no good: it is looked at
 * as one whole with what it comes to lie beside, and nothing is written or removed outside.
 */
export async function layChanges({ changed, deleted }: FolderLeft, folder: string, before: Before): Promise<void> {
  const gone = new Set(deleted);
  const unknown = deleted.find((name) => !before.has(name));
  if (unknown !== undefined) throw new Error(`“${unknown}” was never there, and cannot be deleted.`);
  const written = new Set(changed.entries.map((entry) => entry.path));
  const kept = [...before.values()].filter((entry) => !gone.has(entry.path) && !written.has(entry.path));
  refuseUnlawful([...kept, ...changed.entries]);
  for (const name of deleted) {
    await refuseLinkedWay(folder, [name]);
    await clear(path.join(folder, name));
  }
  await writeTree(changed, folder);
}

function isSame(before: WorkEntry | undefined, now: WorkEntry): boolean {
  if (before === undefined || before.kind !== now.kind) return false;
  if (before.kind === 'link' || now.kind === 'link') return 'to' in before && 'to' in now && before.to === now.to;
  return before.executable === now.executable && Buffer.compare(before.bytes, now.bytes) === 0;
}
