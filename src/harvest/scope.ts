import path from 'node:path';

/**
 * Whether a session's folder is this folder or lies beneath it, by name alone: give it real paths. Whoever tells no folder,
 * or none that is absolute, lies nowhere; so does a folder that the wanted one lies in.
 */
export function liesIn(wanted: string, folder: string | undefined): boolean {
  const [outer, inner] = [comparable(wanted), comparable(folder ?? '')];
  if (outer === undefined || inner === undefined || outer.isWindows !== inner.isWindows) return false;
  return inner.parts.length >= outer.parts.length && outer.parts.every((part, at) => inner.parts[at] === part);
}

/** Whether all folders of a session lie in some of these; all as real paths. */
export function isWithin(
  wanted: readonly string[],
  { realFolder, alsoIn = [] }: { readonly realFolder: string; readonly alsoIn?: readonly string[] },
): boolean {
  return [realFolder, ...alsoIn].every((folder) => wanted.some((each) => liesIn(each, folder)));
}

/** A folder of another machine: to look for it would be to ask that machine. */
export function isShare(folder: string): boolean {
  return /^[\\/]{2}/u.test(folder);
}

interface ComparablePath {
  readonly isWindows: boolean;
  readonly parts: readonly string[];
}

/** A path of Windows is known by its drive or its server, wherever this runs; it does not tell capital letters apart. */
function comparable(folder: string): ComparablePath | undefined {
  if (/^(?:\\\\\?\\)?[a-z]:[\\/]|^\\\\[^\\?]/iu.test(folder)) {
    const plain = path.win32.normalize(folder.replace(/^\\\\\?\\(?=[a-z]:)/iu, ''));
    return { isWindows: true, parts: partsOf(plain.toLowerCase(), /[\\/]/u) };
  }
  if (!folder.startsWith('/')) return undefined;
  return { isWindows: false, parts: partsOf(path.posix.normalize(folder), /\//u) };
}

function partsOf(folder: string, between: RegExp): readonly string[] {
  return folder.split(between).filter((part) => part !== '');
}

/** The path that a URI of a file names, of either system; undefined of any other, such as a folder on another machine. */
export function pathOfUri(uri: string): string | undefined {
  const found = /^file:\/\/([^/]*)(\/[^?#]*)/u.exec(uri);
  const [, host = '', encoded = ''] = found ?? [];
  const decoded = decodedPath(encoded);
  if (found === null || decoded === undefined) return undefined;
  if (/^\/[a-z]:/iu.test(decoded)) return decoded.slice(1).replaceAll('/', '\\');
  return host === '' || host === 'localhost' ? decoded : `\\\\${host}${decoded.replaceAll('/', '\\')}`;
}

function decodedPath(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
