import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { RunOptions } from '../../engine/runOptions.js';
import { decodeSkill } from '../../skill/document/decodeSkill.js';
import { countTokens } from '../../skill/document/countTokens.js';
import {
  isInPackage,
  isPackageDocument,
  isScript,
  isUnparsedScript,
  packageScript,
  type PackageFiles,
} from '../../skill/package/packageFile.js';
import type { ParseScript } from '../../skill/package/parsedScript.js';
import { parsedScript } from '../../skill/package/scriptText.js';
import { scriptsChoice } from '../../storage/programs/machineChoices.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import type { SplitTasks, Task } from '../../tasks/task.js';
import { fixedScriptsSentences, type WhyFixed } from '../../wording/programs/scriptEdits.js';
import { english } from '../../wording/translate.js';
import type { OpenSkill } from '../openSkill.js';
import { isMarkdown, isShownAlone, referenceTexts } from './unseenFiles.js';

/** What tells which documents a run may edit. */
interface EditableIn {
  readonly skill: Pick<OpenSkill, 'text' | 'folder' | 'store'> & Partial<Pick<OpenSkill, 'scriptParser'>>;
  readonly tasks: { readonly result: { readonly split: Pick<SplitTasks, 'training' | 'heldOut' | 'sealed'> } };
  readonly options: RunOptions;
}

/**
 * The documents beside SKILL.md that a run may edit: Markdown files of the package that its attempts see. An edit that no
 * attempt can notice could never be measured. Undefined where there are none, and where texts are written anew as a whole
 * or edits keep to the learned block, which are SKILL.md's alone. Scripts are among them only where the person turned that
 * on for this machine and agents attempt every task.
 */
export async function editableFiles(
  { skill, tasks, options }: EditableIn,
  signal: AbortSignal = new AbortController().signal,
): Promise<PackageFiles | undefined> {
  if (options.edits.mode !== 'patch' || options.edits.scope !== 'body') return undefined;
  const all = tasksOf(tasks);
  const names = await seenFiles(skill, all, options, signal);
  const texts = new Map<string, string>();
  for (const name of names) {
    signal.throwIfAborted();
    const text = await textOf(skill.folder, name);
    if (text !== undefined) texts.set(name, text);
  }
  const { editable } = await scriptsOfRun(skill, all, signal);
  const files = { ...Object.fromEntries(texts), ...editable };
  return Object.keys(files).length === 0 ? undefined : files;
}

function tasksOf({ result }: EditableIn['tasks']): readonly Task[] {
  const { training, heldOut, sealed } = result.split;
  return [...training, ...heldOut, ...sealed];
}

const mostScriptTokens = 10_000; // together; an optimizer is shown each of them whole

/** The scripts of a package: those that edits may change, and the others with the reason. */
export interface SkillScripts {
  readonly editable: PackageFiles;
  readonly fixed: readonly FixedScript[];
}

/** A script that stays as it is. */
interface FixedScript {
  readonly file: string;
  readonly why: WhyFixed;
}

const noScripts: SkillScripts = { editable: {}, fixed: [] };

/** The scripts that a run may edit: none unless the person allows it and agents try them all. */
async function scriptsOfRun(
  skill: EditableIn['skill'],
  tasks: readonly Task[],
  signal: AbortSignal,
): Promise<SkillScripts> {
  if (tasks.length === 0 || !tasks.every(seesPackage) || !(await scriptsChoice.isOn(skill.store))) return noScripts;
  return skillScripts(skill, signal);
}

/** The scripts that could be edited, as far as they parse as they are and an optimizer can be shown them: first those that SKILL.md names. */
export async function skillScripts(
  { text: own, folder, scriptParser }: Omit<EditableIn['skill'], 'store'>,
  signal: AbortSignal,
): Promise<SkillScripts> {
  let left = mostScriptTokens;
  const texts = new Map<string, string>();
  const fixed: FixedScript[] = [];
  const parse: ParseScript | undefined =
    scriptParser && ((language, text) => scriptParser.parse(language, text, signal));
  const all = await packageFiles(folder);
  const named = all.filter((file) => own.includes(file));
  for (const file of new Set([...named, ...all])) {
    signal.throwIfAborted();
    const text = isScript(file) ? await textOf(folder, file) : ''; // of others the name says enough
    if (text === undefined) continue;
    const script = packageScript(file, text);
    if (script === undefined) {
      if (isUnparsedScript(file, text)) fixed.push({ file, why: noParser });
      continue;
    }
    const tokens = countTokens(text);
    const isRoom = texts.size < mostScripts && tokens <= left;
    const parsed = isRoom ? await parsedScript(script.language, text, parse) : noRoom;
    if (parsed.kind !== 'parses') {
      fixed.push({ file, why: parsed });
      continue;
    }
    left -= tokens;
    texts.set(file, text);
  }
  return { editable: Object.fromEntries(texts), fixed };
}

const noRoom = { kind: 'no-room' } as const;
const noParser = { kind: 'no-parser' } as const;

/** What a person should know before a run where edits may change scripts: which of them stay as they are, and why. */
export async function scriptNotes(
  { skill, tasks, options }: EditableIn,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly string[]> {
  if (options.edits.mode !== 'patch' || options.edits.scope !== 'body') return [];
  const { fixed } = await scriptsOfRun(skill, tasksOf(tasks), signal);
  return fixedScriptsSentences(fixed, english);
}

async function seenFiles(
  skill: EditableIn['skill'],
  tasks: readonly Task[],
  options: RunOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (tasks.some(seesPackage)) return packageDocuments(skill.folder);
  if (!tasks.some(isShownAlone)) return [];
  const shown = await referenceTexts(skill, options, signal);
  return [...shown.keys()].filter(isPackageDocument);
}

/** Whether whoever attempts a task has the whole package before it. */
function seesPackage({ environment }: Task): boolean {
  return environment === 'agent';
}

const mostTokens = 50_000; // together: what an optimizer can be shown beside the attempts

/** Every Markdown file of the package by name, each that fits into what an optimizer is shown. */
async function packageDocuments(folder: string): Promise<readonly string[]> {
  const names = (await packageFiles(folder)).filter(isPackageDocument);
  let left = mostTokens;
  const fitting: string[] = [];
  for (const name of names) {
    const tokens = countTokens((await textOf(folder, name)) ?? '');
    if (tokens > left) continue;
    left -= tokens;
    fitting.push(name);
  }
  return fitting;
}

/** Every file of the package, by name. */
async function packageFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter(isInPackage)
    .sort();
}

const mostScripts = 20;
const excerpt = 2_000; // characters of one: what it takes and gives stands at its beginning

/**
 * Files of the package that are no Markdown, by name with their beginning: who attempts tasks with the whole package before
 * it has them, so the optimizer is shown them too. None of them is edited: those that may be are not among them. Undefined
 * where there are none.
 */
export async function shownScripts(
  { skill, tasks }: Omit<EditableIn, 'options'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<PackageFiles | undefined> {
  const all = tasksOf(tasks);
  if (!all.some(seesPackage)) return undefined;
  const { editable } = await scriptsOfRun(skill, all, signal);
  const texts = new Map<string, string>();
  for (const name of await packageFiles(skill.folder)) {
    if (texts.size === mostScripts) break;
    const isShown = !isMarkdown(name) && !Object.hasOwn(editable, name);
    const text = isShown ? await textOf(skill.folder, name) : undefined;
    if (text !== undefined) texts.set(name, text.slice(0, excerpt));
  }
  return texts.size === 0 ? undefined : Object.fromEntries(texts);
}

/** The text of a file that could be replaced; undefined for links, empty files, and what is no text. */
async function textOf(folder: string, name: string): Promise<string | undefined> {
  const file = path.join(folder, ...name.split('/'));
  const found = await unlessMissing(lstat(file));
  if (found?.isFile() !== true || found.nlink > 1 || (await realpath(file)) !== file) return undefined;
  try {
    return decodeSkill(await readFile(file), name);
  } catch {
    return undefined; // It is read by people and not by us: nothing that a run should end for.
  }
}
