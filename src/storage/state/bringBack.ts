import { cp, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { temporaryNameFor } from '../files/durableWrite.js';
import { hasCode, unlessMissing } from '../files/fileErrors.js';
import { makeFolderInside } from '../files/insideFolder.js';

/** State that was put aside, and the folder that it belongs to. */
export interface PutAside {
  readonly from: string;
  readonly to: string;
  /** The file that says that `from` stands in for `to`; it goes last. */
  readonly marker: string;
}

/** Where what lost against something newer is kept, in the folder that stood in. */
const replacedFolder = 'replaced';

/** A run that wrote something within this time and has not ended may be going on in another process. */
const atWorkMs = 60 * 60 * 1000;

/**
 * Moves what was put aside to where it belongs, and gives how much stays behind because something newer has its place.
 * Nothing is deleted. What a kill leaves, and a run that still goes on, the next call moves: the marker goes last.
 */
export async function bringBack(aside: PutAside): Promise<number> {
  const runs = (await namesIn(path.join(aside.from, 'runs'))).map((runId) => path.join('runs', runId));
  const atWork = await Promise.all(runs.map((run) => isAtWork(path.join(aside.from, run))));
  for (const run of runs.filter((_, index) => atWork[index] === false)) await moveUnlessThere(aside, run);
  for (const name of await namesIn(path.join(aside.from, 'proposals'))) {
    await bringNewer(aside, [path.join('proposals', name), path.join('decisions', name)]);
  }
  for (const name of await namesIn(path.join(aside.from, 'decisions'))) {
    await moveUnlessThere(aside, path.join('decisions', name));
  }
  await bringNewer(aside, ['split.json']);
  if (!atWork.includes(true)) await unlessMissing(unlink(aside.marker));
  return (await namesIn(path.join(aside.from, replacedFolder))).length;
}

async function isAtWork(run: string): Promise<boolean> {
  if ((await timeOf(run, 'summary.json')) !== undefined) return false;
  return Date.now() - ((await timeOf(run, 'journal.jsonl')) ?? 0) < atWorkMs;
}

/**
 * Of two the newer stands, with what belongs to it: so it would be had nothing been put aside. A proposal is newer than
 * another, and takes its decisions along.
 */
async function bringNewer(aside: PutAside, [first, ...more]: readonly [string, ...string[]]): Promise<void> {
  const [ours, theirs] = await Promise.all([timeOf(aside.from, first), timeOf(aside.to, first)]);
  if (ours === undefined) return;
  const older = theirs !== undefined && theirs >= ours ? aside.from : aside.to;
  for (const name of [first, ...more]) await replace(older, aside, name);
  // What belongs to it goes first: a kill in between leaves the first of them to be brought again.
  for (const name of [...more, first]) await moveUnlessThere(aside, name);
}

/** Puts a file among what was replaced, whichever side it lies on. */
async function replace(side: string, { from }: PutAside, name: string): Promise<void> {
  if ((await timeOf(side, name)) === undefined) return;
  const target = path.join(from, replacedFolder, name);
  await makeFolderInside(from, path.dirname(target));
  await move(path.join(side, name), target);
}

async function moveUnlessThere(aside: PutAside, name: string): Promise<void> {
  if ((await timeOf(aside.from, name)) === undefined) return;
  if ((await timeOf(aside.to, name)) !== undefined) return replace(aside.from, aside, name);
  const target = path.join(aside.to, name);
  await makeFolderInside(aside.to, path.dirname(target));
  await move(path.join(aside.from, name), target);
}

/** On another disk a copy is finished before it gets its name, and the original goes after that. */
async function move(source: string, target: string): Promise<void> {
  try {
    await rename(source, target);
  } catch (error) {
    if (!hasCode(error, 'EXDEV', 'EEXIST', 'ENOTEMPTY')) throw error;
    if (hasCode(error, 'EEXIST', 'ENOTEMPTY')) return; // an earlier run of the same id was replaced before
    const draft = path.join(path.dirname(target), temporaryNameFor(target));
    await cp(source, draft, { recursive: true, preserveTimestamps: true });
    await rename(draft, target);
    await rm(source, { recursive: true });
  }
}

async function timeOf(side: string, name: string): Promise<number | undefined> {
  return (await unlessMissing(stat(path.join(side, name))))?.mtimeMs;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return ((await unlessMissing(readdir(folder))) ?? []).filter((name) => !name.startsWith('.')).sort();
}
