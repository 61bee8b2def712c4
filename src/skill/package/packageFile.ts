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

/** A document of a proposal where the skill itself is named already: the skill's own text by its file name alone. */
export function documentTitle({ kind, path }: { readonly kind: string; readonly path: string }): string {
  return kind === 'skill' ? 'SKILL.md' : documentName(path);
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

/** Languages that are parsed in this process, by what they are read with anyway. */
type OwnLanguage = 'json' | 'yaml' | 'javascript';

/** Languages that a program of this machine parses: `module` is JavaScript with imports. */
export type ForeignLanguage = 'python' | 'sh' | 'bash' | 'module';

/** A script of the package: agents run it, or read it as data. */
export interface PackageScript {
  readonly file: string;
  readonly language: OwnLanguage | ForeignLanguage;
}

const byEnding: Readonly<Record<string, PackageScript['language']>> = {
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  js: 'javascript',
  cjs: 'javascript',
  mjs: 'module',
  py: 'python',
  sh: 'sh',
  bash: 'bash',
};

/**
 * Whether a file of a package is, by its name, a script that edits may change where the person allows that. What tools
 * read from hidden folders, and what was installed, is none.
 */
export function isScript(file: string | undefined): boolean {
  if (file === undefined || !isOwnFile(file)) return false;
  const ending = endingOf(file);
  return ending === '' || (ending !== undefined && Object.hasOwn(byEnding, ending));
}

/** Languages of scripts that nothing here parses, by their endings. */
const unparsed: ReadonlySet<string> = new Set(
  [
    ['ts', 'mts', 'cts', 'tsx', 'jsx', 'rb', 'pl', 'pm', 'php', 'lua', 'tcl', 'awk', 'r', 'jl', 'sql', 'toml'],
    ['zsh', 'fish', 'ksh', 'csh', 'ps1', 'psm1', 'bat', 'cmd'],
    [
      'go',
      'rs',
      'java',
      'kt',
      'kts',
      'groovy',
      'gradle',
      'scala',
      'swift',
      'dart',
      'ex',
      'exs',
      'clj',
      'c',
      'cpp',
      'cs',
    ],
  ].flat(),
);

/** Whether a file is a script that no edit can ever change, because nobody could tell whether it still parses. */
export function isUnparsedScript(file: string, text: string): boolean {
  if (!isOwnFile(file) || packageScript(file, text) !== undefined) return false;
  return unparsed.has(endingOf(file) ?? '') || (isScript(file) && firstLineProgram(text) !== undefined);
}

function isOwnFile(file: string): boolean {
  return isInPackage(file) && !file.split('/').some((part) => part.startsWith('.') || folded(part) === 'node_modules');
}

/**
 * The same with its language: of a file without an ending, and of Python and shell, the first line decides where it names
 * a program. Undefined where no parser is known for it.
 */
export function packageScript(file: string | undefined, text: string): PackageScript | undefined {
  if (file === undefined || !isScript(file)) return undefined;
  const usual = byEnding[endingOf(file) ?? ''];
  const language = usual === undefined || decidedByFirstLine.has(usual) ? languageOfText(text, usual) : usual;
  return language === undefined ? undefined : { file, language };
}

const decidedByFirstLine: ReadonlySet<string> = new Set(['python', 'sh', 'bash']);

function languageOfText(
  text: string,
  usual: PackageScript['language'] | undefined,
): PackageScript['language'] | undefined {
  const program = firstLineProgram(text);
  if (program === undefined) return usual;
  if (/^python(?:3(?:\.\d+)?)?$/u.test(program)) return 'python';
  if (program === 'uv' || program === 'pipx') return usual === 'python' ? usual : undefined; // they start Python
  if (program === 'bash') return 'bash';
  return program === 'sh' || program === 'dash' || program === 'ash' ? 'sh' : undefined;
}

/** `python3` of `#!/usr/bin/env -S python3 -u`; undefined where the first line names no program. */
function firstLineProgram(text: string): string | undefined {
  const [, line] = /^#!([^\r\n]*)/u.exec(text) ?? [];
  if (line === undefined) return undefined;
  const [first = '', ...words] = line
    .trim()
    .split(/\s+/u)
    .map((word) => word.split('/').at(-1) ?? '');
  return first === 'env' ? (words.find((word) => !word.startsWith('-') && !word.includes('=')) ?? '') : first;
}

/** In small letters, without its dot; empty where the name has none. A last dot is none: Windows passes over it. */
function endingOf(file: string): string | undefined {
  const name = file.split('/').at(-1) ?? '';
  if (!name.includes('.')) return '';
  return name.split('.').at(-1)?.toLowerCase() || undefined;
}

/** The same of a document as proposals and receipts name it. */
export function isScriptDocument({ kind, path }: { readonly kind: string; readonly path: string }): boolean {
  return kind === 'file' && path.startsWith(fromFolder) && isScript(path.slice(fromFolder.length));
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
