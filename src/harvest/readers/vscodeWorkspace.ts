import path from 'node:path';
import { parseJson } from '../../parseJson.js';
import { listAt, textAt } from '../fields.js';
import { pathOfUri } from '../scope.js';

/** What a window of VS Code had open: a folder, or several that a file of their own names. */
export type VscodeWorkspace =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string };

/** What `workspace.json` names by its URI; undefined where it is on another machine. */
export function vscodeWorkspaceOf(workspace: string): VscodeWorkspace | undefined {
  const value = parseJson(workspace);
  const folder = pathOfUri(textAt(value, 'folder') ?? '');
  if (folder !== undefined) return { kind: 'folder', path: folder };
  const file = pathOfUri(textAt(value, 'workspace') ?? '');
  return file === undefined ? undefined : { kind: 'file', path: file };
}

/** The folders that a workspace's file names, from where it lies; none where one of them is no folder of this machine. */
export function foldersOfWorkspaceFile(text: string, file: string): readonly string[] {
  const own = /^[a-z]:|^\\\\/iu.test(file) ? path.win32 : path.posix;
  const folders = listAt(parseJson(withoutRemarks(text)), 'folders').map((each) => {
    const told = textAt(each, 'path');
    if (told === undefined || told === '') return pathOfUri(textAt(each, 'uri') ?? '');
    return own.resolve(own.dirname(file), told);
  });
  const known = folders.filter((folder) => folder !== undefined);
  return known.length === folders.length ? [...new Set(known)] : [];
}

/** VS Code lets people write remarks into that file, and a comma behind the last entry. */
function withoutRemarks(text: string): string {
  return text
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)/gu, '$1')
    .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/gu, '$1');
}
