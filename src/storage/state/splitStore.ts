import path from 'node:path';
import type { Places } from './places.js';
import { readBounded } from '../files/sealedFile.js';
import { writeInside } from '../files/writeInside.js';

const fileName = 'split.json';

/**
 * The text of `split.json`, or undefined where there is none yet. Not sealed, because a team and CI share it through
 * version control; where user state stands in for a read-only workspace, its own copy wins over the shared one.
 */
export async function readSplit({ workspaceState, sharedState }: Places): Promise<string | undefined> {
  return (
    (await readBounded(path.join(workspaceState, fileName))) ?? (await readBounded(path.join(sharedState, fileName)))
  );
}

/** Writes the text where this workspace's state lies; an unchanged text is not written again. */
export async function writeSplit({ workspaceState }: Places, text: string): Promise<void> {
  const file = path.join(workspaceState, fileName);
  if ((await readBounded(file)) === text) return;
  await writeInside(workspaceState, file, text);
}
