import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.js';
import { unlessMissing } from '../files/fileErrors.js';
import { isInside } from '../files/insideFolder.js';
import type { Places } from '../state/places.js';

/** A document as proposals and receipts name it; where it lies now follows from the places. */
export interface DocumentName {
  readonly kind: 'skill' | 'memory';
  readonly documentPath: string;
}

/**
 * The real path at which a document may be replaced. Refuses everything that replacing would not do justice to: a path
 * that a link leads elsewhere, a file with several names, one that is write-protected, and, for memory, anything that
 * is not Markdown inside the root: a proposal may come from a clone, and must not reach a script or a hook.
 */
export async function documentTarget(
  places: Places,
  document: DocumentName,
  missing: 'refused' | 'made' = 'refused',
): Promise<string> {
  const target = documentFile(places, document);
  const found = await unlessMissing(lstat(target));
  if (found === undefined) {
    if (missing === 'made') return goneTarget(target);
    throw refuse('skill-missing', `${target} is not there any more.`, 'Restore the file first.');
  }
  if (!found.isFile() || (await realpath(target)) !== target) {
    throw refuse('proposal-not-adoptable', `${target} is a link or no regular file.`, 'Open the file it stands for.');
  }
  if (found.nlink > 1) {
    throw refuse(
      'proposal-not-adoptable',
      `${target} has ${found.nlink} hard links, and replacing it would part them.`,
      'Make it a file of its own (copy it, then move the copy over it).',
    );
  }
  if ((found.mode & 0o222) === 0) throw readOnly(target);
  return target;
}

/** Where a file that is gone is made again: in its own folder, to which no link leads. Makes nothing. */
async function goneTarget(target: string): Promise<string> {
  let folder = path.dirname(target);
  while ((await unlessMissing(lstat(folder))) === undefined) folder = path.dirname(folder);
  if ((await realpath(folder)) === folder) return target;
  throw refuse(
    'proposal-not-adoptable',
    `${folder} is a link or no folder.`,
    'Put the folder of the skill back first.',
  );
}

/** Where a document lies, there or not. Refuses what is no Markdown file of the workspace. */
export function documentFile(places: Places, { kind, documentPath }: DocumentName): string {
  return kind === 'skill' ? places.skillPath : memoryPath(places, documentPath);
}

/** The error of a file or folder that may not be changed. */
export function readOnly(target: string, cause?: unknown): UserError {
  return new UserError(
    'skill-read-only',
    `${target} is read-only.`,
    'Make the file and its folder writable, then try again.',
    cause === undefined ? undefined : { cause },
  );
}

function memoryPath({ root, skillPath }: Places, documentPath: string): string {
  const target = path.resolve(root ?? path.dirname(skillPath), documentPath);
  const lawful = root === undefined ? path.isAbsolute(documentPath) : isInside(root, target);
  if (lawful && path.extname(target).toLowerCase() === '.md') return target;
  throw refuse(
    'proposal-not-adoptable',
    `${documentPath} is not a Markdown file of this workspace.`,
    'Reject the proposal; it was not made for this workspace.',
  );
}

function refuse(code: 'skill-missing' | 'proposal-not-adoptable', what: string, cure: string): UserError {
  return new UserError(code, what, cure);
}
