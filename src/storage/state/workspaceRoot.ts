import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../files/fileErrors.js';
import { isInside } from '../../isInside.js';

/** Which folders the person opened, in the editor or by standing in one. */
export interface RootRequest {
  /** Real path of the skill file. */
  readonly skillPath: string;
  readonly workspaceFolders: readonly string[];
  /** What the person named as the root; then nothing is searched. */
  readonly explicitRoot?: string | undefined;
  /** The folder that the command line runs in: counts as an open folder. */
  readonly cwd?: string | undefined;
}

/** The folder whose `.whetstone` holds the skill's state. */
export const stateFolderName = '.whetstone';

/**
 * The real path of the folder that a skill belongs to, or undefined for a skill that belongs to none. The nearest
 * ancestor with `.whetstone` wins over the nearest with `.git`, and that over the opened folder, so that a subfolder
 * opened alone and the command line find the same state. Outside every folder the person opened, only a `.whetstone`
 * of their own counts: a proposal is found from wherever the command line is called.
 */
export async function findRoot(request: RootRequest): Promise<string | undefined> {
  const { skillPath, explicitRoot, cwd, workspaceFolders } = request;
  if (explicitRoot !== undefined) return innermost([explicitRoot], skillPath);
  const opened = await innermost(cwd === undefined ? workspaceFolders : [...workspaceFolders, cwd], skillPath);
  const ancestors = ancestorsOf(path.dirname(skillPath));
  if (opened === undefined) return nearestWith(stateFolderName, ancestors, undefined);
  return (
    (await nearestWith(stateFolderName, ancestors, opened)) ?? (await nearestWith('.git', ancestors, opened)) ?? opened
  );
}

async function innermost(folders: readonly string[], skillPath: string): Promise<string | undefined> {
  const real = await Promise.all(folders.map((folder) => unlessMissing(realpath(folder))));
  return real
    .filter((folder) => folder !== undefined)
    .filter((folder) => isInside(folder, skillPath))
    .sort((left, right) => right.length - left.length)[0];
}

async function nearestWith(
  marker: string,
  ancestors: readonly string[],
  opened: string | undefined,
): Promise<string | undefined> {
  for (const folder of ancestors) {
    const found = await unlessMissing(stat(path.join(folder, marker)));
    // Above the opened folder another user may have planted one (in /tmp, say): only our own counts there.
    const known = opened !== undefined && isInside(opened, folder);
    if (found !== undefined && (known || isOurs(found.uid))) return folder;
  }
  return undefined;
}

function isOurs(uid: number): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}

function ancestorsOf(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)];
}
