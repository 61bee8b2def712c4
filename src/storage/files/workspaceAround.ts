import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The nearest folder around that is a workspace or a repository, which others may get a copy of, and a pull may change;
 * undefined where there is none. `folder` is a real path.
 */
export function workspaceAround(folder: string): string | undefined {
  if (['.whetstone', '.git'].some((name) => existsSync(path.join(folder, name)))) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : workspaceAround(parent);
}
