import path from 'node:path';

/**
 * What a `.cmd` that npm wrote starts: the last file beside or beneath its own folder that it names, a script or an
 * `.exe`. Undefined for any other batch file: nobody knows what that one does.
 */
export function shimTarget(shim: string, folder: string): string | undefined {
  const named = [...shim.matchAll(/"%(?:~dp0|dp0%)\\?([^"%]+\.(?:exe|[cm]?js))"/giu)].map(([, name]) => name ?? '');
  const own = named.filter((name) => !/(?:^|\\)node\.exe$/iu.test(name)).at(-1);
  return own === undefined ? undefined : path.win32.normalize(path.win32.join(folder, own));
}
