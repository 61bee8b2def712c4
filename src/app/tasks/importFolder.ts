import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { Notes, somethingOf, type ImportedTasks, type ImportFile } from '../../tasks/readers/importedTasks.js';
import { readItems, readSplitFolder } from '../../tasks/readers/splitFolder.js';
import { namesOfSide } from '../../tasks/sideNames.js';
import type { Side } from '../../tasks/task.js';
import { readText } from '../readText.js';

/**
 * Reads a folder of items as the paper's loader takes it: a folder for each side with a file of items in it, or one file
 * of items that nobody split. `items.json` comes first; else any `.json`, the first by name, else a `.jsonl`.
 */
export async function readImportFolder(folder: string): Promise<ImportedTasks> {
  const notes = new Notes();
  const split = await splitIn(folder, notes);
  if (Object.values(split).some((file) => file !== undefined))
    return withNotes(somethingOf(folder, readSplitFolder(split)), notes);
  const names = await itemFiles(folder);
  const [only] = names;
  if (only === undefined || (names.length > 1 && path.basename(only) !== itemsName)) throw nothingIn(folder, names);
  return withNotes(somethingOf(only, readItems(await fileAt(only, names, notes))), notes);
}

const itemsName = 'items.json';

async function splitIn(folder: string, notes: Notes): Promise<Readonly<Record<Side, ImportFile | undefined>>> {
  const fileOf = async (side: Side): Promise<ImportFile | undefined> => {
    for (const name of namesOfSide(side)) {
      const files = await itemFiles(path.join(folder, name));
      if (files[0] !== undefined) return fileAt(files[0], files, notes);
    }
    return undefined;
  };
  return { training: await fileOf('training'), heldOut: await fileOf('heldOut'), sealed: await fileOf('sealed') };
}

/** The files that may hold the items of a folder, the one that is read first. */
async function itemFiles(folder: string): Promise<readonly string[]> {
  const listed = (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? [];
  const names = listed.filter((entry) => entry.isFile()).map(({ name }) => name);
  const ending = (pattern: RegExp): readonly string[] => names.filter((name) => pattern.test(name)).toSorted();
  const all = [...ending(/\.json$/iu).filter((name) => !notItems.has(name)), ...ending(/\.(?:jsonl|ndjson)$/iu)];
  const ordered = [...all.filter((name) => name === itemsName), ...all.filter((name) => name !== itemsName)];
  return ordered.map((name) => path.join(folder, name));
}

/** What the paper's loader writes beside the folders of a split that it made. */
const notItems: ReadonlySet<string> = new Set(['split_manifest.json']);

async function fileAt(file: string, among: readonly string[], notes: Notes): Promise<ImportFile> {
  const others = among.filter((other) => other !== file).map((other) => path.basename(other));
  if (others.length > 0)
    notes.changed(
      undefined,
      path.basename(path.dirname(file)),
      `${path.basename(file)} was read; ${others.join(', ')} was not.`,
    );
  return { path: file, text: (await readText(file, 'tasks-malformed')) ?? '' };
}

function withNotes(imported: ImportedTasks, notes: Notes): ImportedTasks {
  return { ...imported, notes: [...notes.all, ...imported.notes] };
}

function nothingIn(folder: string, names: readonly string[]): UserError {
  const cure = 'Give a file of JSON lines, JSON, CSV or YAML, or a folder with train/items.json.';
  if (names.length === 0)
    return new UserError(
      'tasks-missing',
      `${folder} is no file of tasks and has no train, val or test folder with a .json file.`,
      cure,
    );
  const found = names.map((name) => path.basename(name)).join(', ');
  return new UserError(
    'tasks-missing',
    `${folder} holds several files that may be tasks: ${found}.`,
    'Name one of them.',
  );
}
