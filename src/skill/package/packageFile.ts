/**
 * The package of a skill: every file below its folder but its tasks and what tools keep there. Files are named by their
 * path from that folder with slashes, `references/tone.md`.
 */

/** Texts of files of a package, by their names. */
export type PackageFiles = Readonly<Record<string, string>>;

/** How proposals and receipts begin the name of a file of the package: `./references/tone.md`. */
export const fromFolder = './';

/** Folders, anywhere in it, that are no part of a package: answers, our own state, history. */
const apart: ReadonlySet<string> = new Set(['evals', '.whetstone', '.git']);

/** What a system would read as another place than it says, or a person as another name. */
const unplain = /[\\:\p{Cc}\p{Cf}]/u;

/** Whether a path names a file of a package, by its words alone: links are for whoever opens it. */
export function isInPackage(file: string): boolean {
  const parts = file.split('/');
  return !unplain.test(file) && parts.every((part) => !isNoName(part) && !apart.has(folded(part)));
}

/** Whether a file of a package is a document that edits may change: Markdown, and no skill of its own. */
export function isPackageDocument(file: string): boolean {
  const name = file.split('/').at(-1) ?? '';
  return isInPackage(file) && /\.(?:md|markdown)$/iu.test(name) && folded(name) !== 'skill.md';
}

/** Windows and macOS take other spellings of a name for the same. */
function folded(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[. ]+$/u, '');
}

function isNoName(part: string): boolean {
  return part === '' || part === '.' || part === '..' || part.trim() !== part;
}
