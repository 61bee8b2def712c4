import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { UserError } from '../../errors.js';
import { isSafeYaml } from '../../skill/document/safeYaml.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { readCsvTasks } from '../../tasks/imports/csvTasks.js';
import { isPromptfoo, readPromptfoo } from '../../tasks/imports/promptfoo.js';
import { isWaza, readWaza, wazaTaskFiles, type WazaFile } from '../../tasks/imports/waza.js';
import { readBenchmarkJsonl } from '../../tasks/readers/benchmarkJsonl.js';
import {
  malformedImport,
  parseImport,
  somethingOf,
  type ImportedTasks,
  type ImportFile,
  type ImportNote,
} from '../../tasks/readers/importedTasks.js';
import { readSleepTasks } from '../../tasks/readers/sleepTasks.js';
import { itemsIn } from '../../tasks/readers/itemTask.js';
import { readItems } from '../../tasks/readers/splitFolder.js';
import { readImportFolder } from './importFolder.js';
import { readText, readTextInside } from '../readText.js';

/** Where tasks come from that another tool wrote. */
export interface ImportSource {
  /** A file of JSON, JSON lines, CSV or YAML, or a folder with a file of items, or with train, val and test. */
  readonly path: string;
  /** A separate file of held-out tasks, for JSON lines. */
  readonly heldOut?: string | undefined;
  /** Such as `2:1:7` for training, held-out and sealed. */
  readonly ratio?: string | undefined;
}

/** Reads tasks of another tool, whatever the format: the name of the file and its content say which. */
export async function readImport(source: ImportSource): Promise<ImportedTasks> {
  const kind = path.extname(source.path).toLowerCase();
  if (kind === '.jsonl' || kind === '.ndjson') {
    return readLineFiles(source);
  }
  if (source.heldOut !== undefined) {
    throw new UserError(
      'usage',
      `A separate held-out file goes with a .jsonl file, and ${source.path} is none.`,
      'Import the two one after the other, each with a ratio such as 1:0:0 or 0:1:0.',
    );
  }
  if (kind === '.csv' || kind === '.tsv') return somethingOf(source.path, readCsvTasks(await fileAt(source.path)));
  if (kind === '.yaml' || kind === '.yml')
    return somethingOf(source.path, await readYamlTasks(await fileAt(source.path)));
  if (kind === '.json') return somethingOf(source.path, readJsonTasks(await fileAt(source.path)));
  return readImportFolder(source.path);
}

/** JSON lines with the held-out tasks of a file that is named, or that lies beside them under the name that benchmarks give it. */
async function readLineFiles(source: ImportSource): Promise<ImportedTasks> {
  const beside = path.join(path.dirname(source.path), heldOutName);
  const found = source.heldOut === undefined && beside !== source.path ? await optionalFile(beside) : undefined;
  const heldOut = source.heldOut === undefined ? found : await fileAt(source.heldOut);
  const read = somethingOf(source.path, readBenchmarkJsonl(await fileAt(source.path), heldOut));
  return found === undefined ? read : { ...read, notes: [tookBeside, ...read.notes] };
}

const heldOutName = 'held-out.jsonl';
const tookBeside: ImportNote = {
  kind: 'changed',
  taskId: undefined,
  field: heldOutName,
  message: 'It lies beside the file, and its tasks came along as held-out tasks.',
};

function readJsonTasks(file: ImportFile): ImportedTasks {
  const value = parseImport(file.text, file.path);
  if (isPromptfoo(value)) return readPromptfoo(value);
  const evals = typeof value === 'object' && value !== null && 'evals' in value ? value.evals : value;
  const items = itemsIn(evals);
  return items === undefined ? readSleepTasks(file) : readItems({ ...file, text: JSON.stringify(items) });
}

async function readYamlTasks(file: ImportFile): Promise<ImportedTasks> {
  const value = parseYaml(file);
  if (isPromptfoo(value)) return readPromptfoo(value);
  if (!isWaza(value))
    throw malformedImport(file.path, 'It has neither the “tests” of promptfoo nor the “tasks” of Waza.');
  const { files, notes } = await wazaFiles(file, wazaTaskFiles(value));
  const read = readWaza(value, files);
  return { tasks: read.tasks, notes: [...notes, ...read.notes] };
}

const longestYaml = 2_000_000; // characters; a list of ten thousand tests
const mostAliases = 100; // how often a part may be used again: what multiplies itself is refused

/** The value of a YAML text. One that is long, nested deeply or multiplies itself is not handed to the parser, or refused by it. */
function parseYaml({ path: file, text }: ImportFile): unknown {
  const yaml = text.replace(/^\uFEFF/u, '');
  if (!isSafeYaml(yaml, longestYaml))
    throw malformedImport(file, 'It is too long, or its values are nested too deeply.');
  const document = parseDocument(yaml, { prettyErrors: true, uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined)
    throw malformedImport(file, `Line ${error.linePos?.[0].line ?? 1} is not valid YAML.`, error);
  try {
    return document.toJS({ maxAliasCount: mostAliases });
  } catch (cause) {
    throw malformedImport(file, 'It uses its own parts too often.', cause);
  }
}

const mostFiles = 1000; // of one evaluation

/** The task files that an evaluation names, as far as they lie in its own folder. */
async function wazaFiles(
  { path: file }: ImportFile,
  patterns: readonly string[],
): Promise<{ readonly files: readonly WazaFile[]; readonly notes: readonly ImportNote[] }> {
  const folder = await realpath(path.dirname(file));
  const files: WazaFile[] = [];
  const notes: ImportNote[] = [];
  for (const pattern of patterns) {
    const names = (await namesFor(folder, pattern)).slice(0, mostFiles);
    if (names.length === 0)
      notes.push({
        kind: 'refused',
        taskId: undefined,
        field: pattern,
        message: `There is no file of tasks “${pattern}”.`,
      });
    for (const name of names) {
      const read = await readTaskFile(folder, name);
      if ('value' in read) files.push(read);
      else notes.push({ kind: 'refused', taskId: undefined, field: name, message: read.why });
    }
  }
  return { files, notes };
}

async function readTaskFile(folder: string, name: string): Promise<WazaFile | { readonly why: string }> {
  try {
    const text = await readTextInside(folder, path.join(folder, name), 'tasks-malformed');
    return { path: name, value: parseYaml({ path: name, text: text ?? '' }) };
  } catch (error) {
    if (error instanceof UserError) return { why: error.message };
    throw error;
  }
}

/** The files for a pattern with a star in its last part; what leads out of the folder names none. */
async function namesFor(folder: string, pattern: string): Promise<readonly string[]> {
  const parts = pattern.replaceAll('\\', '/').replace(/^\.\//u, '').split('/');
  const last = parts.at(-1) ?? '';
  const above = parts.slice(0, -1);
  if (path.isAbsolute(pattern) || parts.includes('..') || above.some((part) => part.includes('*'))) return [];
  const listed = (await unlessMissing(readdir(path.join(folder, ...above)))) ?? [];
  const wanted = new RegExp(`^${last.split('*').map(escaped).join('[^/]*')}$`, 'u');
  return listed
    .filter((name) => wanted.test(name))
    .toSorted()
    .map((name) => [...above, name].join('/'));
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
}

async function fileAt(file: string): Promise<ImportFile> {
  const found = await optionalFile(file);
  if (found === undefined)
    throw new UserError('tasks-missing', `There is no file ${file}.`, 'Give the path of a file of tasks.');
  return found;
}

async function optionalFile(file: string): Promise<ImportFile | undefined> {
  const text = await readText(file, 'tasks-malformed');
  return text === undefined ? undefined : { path: file, text };
}
