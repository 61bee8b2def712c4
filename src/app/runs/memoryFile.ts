import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { decodeSkill } from '../../skill/document/decodeSkill.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { memoryFiles, memoryPlace } from '../../storage/adoption/memoryNames.js';
import type { Places } from '../../storage/state/places.js';

/** The memory file that goes with a skill. */
export interface MemoryFile {
  /** Relative to the root, with forward slashes: as a proposal names it. */
  readonly path: string;
  readonly text: string;
}

/** The file of the agent that the skill belongs to, else the first that there is. One behind a link that leads out of the root does not count. */
export async function findMemoryFile({ root, documentPath }: Places): Promise<MemoryFile | undefined> {
  if (root === undefined) return undefined;
  const own = memoryFiles.filter(({ folder }) => `/${documentPath}`.includes(`/${folder}`));
  for (const { file } of [...own, ...memoryFiles.filter((each) => !own.includes(each))]) {
    const found = await read(root, file);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function read(root: string, file: string): Promise<MemoryFile | undefined> {
  const real = await memoryPlace(root, file);
  const found = real === undefined ? undefined : await unlessMissing(lstat(real));
  if (real === undefined || found?.isFile() !== true) return undefined;
  const documentPath = path.relative(root, real).split(path.sep).join('/');
  return { path: documentPath, text: decodeSkill(await readFile(real), documentPath) };
}
