import { leavesFolder, type Task } from '../../tasks/task.js';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, UserError } from '../../errors.js';
import type { FixtureFiles } from '../../ports/files.js';
import { countTokens } from '../../skill/document/countTokens.js';
import { filesInside } from '../../storage/files/filesInside.js';
import type { OpenSkill } from '../openSkill.js';
import type { RunOptions } from '../../engine/runOptions.js';
import type { EnvironmentDeclaration, ProgramDeclaration } from '../../tasks/readers/whetstoneFile.js';
import type { SkillTasks } from '../tasks/skillTasks.js';

type SkillFiles = Pick<OpenSkill, 'text' | 'folder'>;

/** Whether the Markdown files are shown along with the skill, and how much of them. */
export type ReferenceOptions = Pick<RunOptions, 'inlineReferences' | 'referenceTokens'>;

/**
 * Files beside the skill that its text points to, by name, by a Markdown link, or by the folder they lie in: in `chat`
 * the model reads the skill alone. What lies in `evals` is never among them.
 */
async function unseenFiles({ text, folder }: SkillFiles): Promise<readonly string[]> {
  const found = await Promise.all(
    [...pointersIn(text)].map(async (name) => {
      const kind = await stat(path.join(folder, name)).catch(() => undefined);
      if (kind?.isFile() === true) return [name];
      return kind?.isDirectory() === true ? filesIn(folder, name) : [];
    }),
  );
  return [...new Set(found.flat())].filter((file) => file !== 'SKILL.md' && !file.startsWith('evals/')).sort();
}

async function filesIn(folder: string, name: string): Promise<readonly string[]> {
  const entries = await readdir(path.join(folder, name), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
}

/** `scripts/`, `references/` and `assets/` wherever they are named, and the target of every link. */
function pointersIn(text: string): ReadonlySet<string> {
  const named = [...text.matchAll(/(?:^|[\s("'`[<])(?:\.\/)?((?:scripts|references|assets)\/[\w./-]*)/gm)];
  const linked = [...text.matchAll(/\]\(\s*<?(?:\.\/)?([^()<>#?\s]+)/g)];
  const pointers = [...named, ...linked].map((match) => decoded(match[1] ?? '').replace(/[./-]+$/u, ''));
  return new Set(pointers.filter((pointer) => pointer !== '' && !pointer.includes(':') && !leavesFolder(pointer)));
}

/** Links write a space as %20. */
function decoded(link: string): string {
  try {
    return decodeURIComponent(link);
  } catch {
    return link; // A percent sign that stands for itself.
  }
}

/** True for what can be inlined: the rest is for an agent with a file system. */
export function isMarkdown(file: string): boolean {
  return /\.(?:md|markdown)$/iu.test(file);
}

/**
 * The Markdown files that the skill points to, as texts, for a target that is to read them along with the skill: whole
 * ones, by their names, each that fits into what is left of the tokens.
 */
export async function referenceTexts(
  skill: SkillFiles,
  { inlineReferences, referenceTokens }: ReferenceOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  if (!inlineReferences) return texts;
  const files = filesInside(skill.folder);
  let left = referenceTokens;
  for (const name of (await unseenFiles(skill)).filter(isMarkdown)) {
    const text = await textWithin(path.join(skill.folder, name), files, { tokens: left, signal });
    if (text === undefined) continue;
    left -= countTokens(text);
    texts.set(name, text);
  }
  return texts;
}

const mostBytesOfToken = 16; // by the estimate a token is four characters, each of which has at most four bytes

/** Undefined where it takes more tokens than there are: one that is far too long is not even read. */
async function textWithin(
  file: string,
  files: FixtureFiles,
  { tokens, signal }: { readonly tokens: number; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found !== undefined && found.size > tokens * mostBytesOfToken) return undefined;
  const text = new TextDecoder().decode(await contentOf(file, files, signal));
  return countTokens(text) > tokens ? undefined : text;
}

async function contentOf(file: string, files: FixtureFiles, signal: AbortSignal): Promise<Uint8Array> {
  try {
    return (await files.read(file, signal)) ?? new Uint8Array();
  } catch (error) {
    signal.throwIfAborted();
    throw notInlined(
      `${file} cannot be inlined: ${messageOf(error)}`,
      'Turn the option inlineReferences off, or replace the file.',
      error,
    );
  }
}

function notInlined(what: string, cure: string, cause?: unknown): UserError {
  return new UserError('options-malformed', what, cure, { cause });
}

const readOnly = new Set(['chat', 'tools']);

/** Whether whoever attempts a task reads the skill, and of its files what is shown with it. */
export function isShownAlone({ environment }: Pick<Task, 'environment'>): boolean {
  return readOnly.has(environment);
}

/** What a person should know before a run about how its tasks are attempted: what the target does not see, what is not counted. */
export async function environmentNotes(
  skill: Pick<OpenSkill, 'text' | 'folder'>,
  { read, result: { split } }: SkillTasks,
  options: ReferenceOptions,
): Promise<readonly string[]> {
  const all = [...split.training, ...split.heldOut, ...split.sealed];
  const used = new Set(all.map((task) => task.environment));
  const programs = [...read.environments].filter(([name]) => used.has(name));
  return [
    ...(all.some(isShownAlone) ? await unseenNote(skill, options) : []),
    ...programs.flatMap(([name, declared]) => attemptedBy(name, declared)),
  ];
}

function attemptedBy(name: string, declared: EnvironmentDeclaration): readonly string[] {
  const { target } = declared;
  const by =
    'module' in declared
      ? `The tasks in “${name}” are attempted by the module “${declared.module}”. What it spends is not counted here.`
      : `The tasks in “${name}” are attempted by the program “${commandOf(declared)}”. What it spends is not counted here.`;
  if (target === undefined) return [by];
  return [by, `What “${name}” asks the target through Whetstone is counted: at most ${target.calls} calls an attempt.`];
}

function commandOf({ command, arguments: words }: ProgramDeclaration): string {
  return [command, ...words].join(' ');
}

async function unseenNote(
  skill: Pick<OpenSkill, 'text' | 'folder'>,
  options: ReferenceOptions,
): Promise<readonly string[]> {
  const shown = await referenceTexts(skill, options);
  const unseen = (await unseenFiles(skill)).filter((file) => !shown.has(file));
  if (unseen.length === 0) return [];
  const advice = unseen.some(isMarkdown) ? ` ${adviceFor(options)}` : '';
  const more = unseen.length - mostNamed;
  const names = more > 0 ? [...unseen.slice(0, mostNamed), `and ${more} more`] : unseen;
  return [`The model cannot see the files that the skill points to: ${names.join(', ')}.${advice}`];
}

function adviceFor({ inlineReferences, referenceTokens }: ReferenceOptions): string {
  return inlineReferences
    ? `Markdown files are shown as far as they fit into ${referenceTokens} tokens together: raise “referenceTokens” to show it more of them.`
    : 'Set “inlineReferences” to show it the Markdown files.';
}

const mostNamed = 12; // what a person reads before a run
