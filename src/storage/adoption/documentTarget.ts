import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.js';
import { unlessMissing } from '../files/fileErrors.js';
import { differInLearnedAlone } from '../../skill/document/learnedBlock.js';
import type { DocumentKind } from '../../ports/proposal.js';
import { fromFolder, isPackageDocument, isScript } from '../../skill/package/packageFile.js';
import type { Places } from '../state/places.js';
import { memoryFiles, memoryPlace } from './memoryNames.js';

/** A document as proposals and receipts name it; where it lies now follows from the places. */
export interface DocumentName {
  readonly kind: DocumentKind;
  readonly documentPath: string;
}

/**
 * The real path at which a document may be replaced. Refuses everything that replacing would not do justice to: a path
 * that a link leads elsewhere, a file with several names, one that is write-protected, and, for memory, anything but the
 * files that agents read by their names, and for the package anything but its Markdown files and scripts. Both faces ask here before they change a document.
 */
export async function documentTarget(
  places: Places,
  document: DocumentName,
  missing: 'refused' | 'made' = 'refused',
): Promise<string> {
  const target = await documentFile(places, document);
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

/** Where a document lies, there or not. Refuses what is neither of the skill's package nor a memory file of the workspace. */
export async function documentFile(places: Places, { kind, documentPath }: DocumentName): Promise<string> {
  switch (kind) {
    case 'skill':
      return places.skillPath;
    case 'file':
      return packagePath(places, documentPath);
    case 'memory':
      return memoryPath(places, documentPath);
  }
}

function packagePath({ skillPath }: Places, documentPath: string): string {
  const file = documentPath.slice(fromFolder.length);
  if (documentPath.startsWith(fromFolder) && (isPackageDocument(file) || isScript(file)))
    return path.join(path.dirname(skillPath), ...file.split('/'));
  throw refuse(
    'proposal-not-adoptable',
    `${documentPath} is no file of this skill’s folder that edits may change.`,
    'Reject the proposal; it was not made for this skill.',
  );
}

/** Refuses a change of a memory file outside of its learned block: the rest is what the person wrote. */
export function refuseBesideLearned(documentPath: string, before: string, after: string): void {
  if (differInLearnedAlone(before, after)) return;
  throw refuse(
    'proposal-not-adoptable',
    `The change of ${documentPath} goes beyond its learned block.`,
    'Make that change in the file itself.',
  );
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

async function memoryPath({ root }: Places, documentPath: string): Promise<string> {
  const target = root === undefined ? undefined : path.resolve(root, documentPath);
  for (const { file } of memoryFiles) {
    const place = root === undefined ? undefined : await memoryPlace(root, file);
    if (place !== undefined && place === target) return place;
  }
  throw refuse(
    'proposal-not-adoptable',
    `${documentPath} is not a memory file of this workspace.`,
    'Reject the proposal; it was not made for this workspace.',
  );
}

function refuse(code: 'skill-missing' | 'proposal-not-adoptable', what: string, cure: string): UserError {
  return new UserError(code, what, cure);
}
