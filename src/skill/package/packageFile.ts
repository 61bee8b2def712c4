/**
 * The package of a skill: every file below its folder but its tasks and what tools keep there. Files are named by their
 * path from that folder with slashes, `references/tone.md`.
 */

/** Texts of files of a package, by their names. */
export type PackageFiles = Readonly<Record<string, string>>;

/** How proposals and receipts begin the name of a file of the package: `./references/tone.md`. */
export const fromFolder = './';

/** The path of a document as people read it in every face: a file of the package by its name in it. */
export function documentName(path: string): string {
  return path.startsWith(fromFolder) ? path.slice(fromFolder.length) : path;
}

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

/** A script of the package: agents run it, or read it as data. */
export interface PackageScript {
  readonly file: string;
  readonly language: 'json' | 'javascript';
}

const languages: readonly (readonly [RegExp, PackageScript['language']])[] = [
  [/\.json$/iu, 'json'],
  [/\.c?js$/iu, 'javascript'],
];

/**
 * A file of a package as a script that edits may change where the person allows that: one of a language of which can be
 * told, without running it, that it still parses. What tools read from hidden folders, and what was installed, is none.
 */
export function packageScript(file: string | undefined): PackageScript | undefined {
  if (file === undefined || !isInPackage(file)) return undefined;
  if (file.split('/').some((part) => part.startsWith('.') || folded(part) === 'node_modules')) return undefined;
  const language = languages.find(([ending]) => ending.test(file))?.[1];
  return language === undefined ? undefined : { file, language };
}

/** The same of a document as proposals and receipts name it. */
export function isScriptDocument({ kind, path }: { readonly kind: string; readonly path: string }): boolean {
  return kind === 'file' && path.startsWith(fromFolder) && packageScript(path.slice(fromFolder.length)) !== undefined;
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
