import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../files/fileErrors.js';
import { isInside } from '../../isInside.js';

/** What agents read before every job in a workspace, and the folder in which each keeps its skills. */
export const memoryFiles: readonly { readonly file: string; readonly folder: string }[] = [
  { file: 'CLAUDE.md', folder: '.claude/' },
  { file: 'AGENTS.md', folder: '.agents/' },
  { file: '.github/copilot-instructions.md', folder: '.github/' },
];

/**
 * Where a memory file of this name really lies, below the root's real path: one name may be a link to the other. Undefined
 * where it leads out of the root or to what is no document of its own: another skill, the files of git.
 */
export async function memoryPlace(root: string, file: string): Promise<string | undefined> {
  const named = path.join(root, file);
  const real = (await unlessMissing(realpath(named))) ?? named;
  if (!isInside(root, real)) return undefined;
  const parts = path.relative(root, real).split(path.sep);
  const isDocument = /\.md$/i.test(real) && parts.at(-1)?.toUpperCase() !== 'SKILL.MD';
  return isDocument && !parts.includes('.git') ? real : undefined;
}
