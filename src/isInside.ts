import path from 'node:path';

/** Whether `inner` is `folder` or lies beneath it, by name alone: give it real paths. */
export function isInside(folder: string, inner: string): boolean {
  const relative = path.relative(folder, inner);
  return relative === '' || (!path.isAbsolute(relative) && relative !== '..' && !relative.startsWith(`..${path.sep}`));
}
