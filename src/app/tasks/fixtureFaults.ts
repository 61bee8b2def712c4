import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { leavesFolder, listFixtures, workFolderOf, type Task } from '../../tasks/task.js';

const mostAtOnce = 64;
/** What `chat` and `tools` can show to a model. */
const mostInlinedBytes = 64 * 1024;

/** What stands at a place that a task names. */
type StartKind = 'file' | 'folder' | 'missing';

interface Fixture {
  readonly standing: StartKind;
  readonly bytes: number;
  /** Looked at only where it is small enough to be shown to a model. */
  readonly isText: boolean;
}

/** Looks at every fixture once and says what keeps a task from using it. */
export async function fixtureFaults(
  folder: string,
  tasks: readonly Task[],
): Promise<(file: string, task: Task) => string | undefined> {
  const files = [...new Set(tasks.flatMap((task) => listFixtures(task)))].filter((file) => !leavesFolder(file));
  const fixtures = new Map<string, Fixture>();
  for (let at = 0; at < files.length; at += mostAtOnce) {
    const some = files.slice(at, at + mostAtOnce);
    const found = await Promise.all(some.map((file) => lookAt(path.join(folder, file))));
    found.forEach((each, index) => fixtures.set(some[index] ?? '', each));
  }
  const named = new Set(tasks.flatMap((task) => workFolderOf(task) ?? []).filter((name) => !leavesFolder(name)));
  const starts = new Map<string, StartKind>();
  for (const name of named) starts.set(name, await standingOf(path.resolve(folder, name)));
  return (file, task) => {
    const start = file === workFolderOf(task) ? startFault(file, task, starts.get(file)) : undefined;
    const fixture = fixtures.get(file);
    if (start !== undefined || fixture === undefined) return start;
    if (fixture.standing === 'missing') return `The fixture “${file}” of the task “${task.id}” is missing.`;
    if (fixture.standing === 'folder')
      return `The fixture “${file}” of the task “${task.id}” is a folder, and a file is needed. Name each of its files.`;
    return task.environment === 'chat' || task.environment === 'tools' ? unreadable(file, task, fixtures) : undefined;
  };
}

/** Why an agent cannot start there. */
function startFault(name: string, { id }: Pick<Task, 'id'>, standing: StartKind | undefined): string | undefined {
  if (standing === 'missing') return `The folder “${name}” that the task “${id}” starts from is missing.`;
  if (standing !== 'file') return undefined;
  return `“${name}” that the task “${id}” starts from is a file, and a folder is needed. Put the file into a folder of its own and name that.`;
}

/** Why a model that only reads cannot be shown a fixture that is there. */
function unreadable(file: string, task: Task, fixtures: ReadonlyMap<string, Fixture>): string | undefined {
  const needs = `the task “${task.id}” needs a program of its own, declared under “environments” in evals/whetstone.json and named in the task.`;
  const bytesOf = (name: string): number => fixtures.get(name)?.bytes ?? 0;
  if (bytesOf(file) > mostInlinedBytes) return `The fixture “${file}” is over 64 KB: ${needs}`;
  if (fixtures.get(file)?.isText === false) return `The fixture “${file}” is not UTF-8 text: ${needs}`;
  const all = listFixtures(task);
  const before = all.slice(0, all.indexOf(file)).reduce((sum, name) => sum + bytesOf(name), 0);
  const passesIt = before <= mostInlinedBytes && before + bytesOf(file) > mostInlinedBytes;
  return passesIt ? `With “${file}” the fixtures are over 64 KB: ${needs}` : undefined;
}

/** Why an agent cannot start from this folder of a skill, and what to do; undefined where it can. What is a file says so itself. */
export async function whyNoStart(
  folder: string,
  name: string,
  task: Pick<Task, 'id'>,
): Promise<{ readonly message: string; readonly cure: string } | undefined> {
  const standing = await standingOf(path.resolve(folder, name));
  const message = startFault(name, task, standing);
  const cure = standing === 'missing' ? 'Put the files into it that the agent should find.' : '';
  return message === undefined ? undefined : { message, cure };
}

async function standingOf(place: string): Promise<StartKind> {
  const found = await stat(place).catch(() => undefined);
  if (found?.isDirectory() === true) return 'folder';
  return found === undefined ? 'missing' : 'file';
}

async function lookAt(file: string): Promise<Fixture> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory() === true) return { standing: 'folder', bytes: 0, isText: true };
  if (found?.isFile() !== true) return { standing: 'missing', bytes: 0, isText: true };
  const isText = found.size > mostInlinedBytes || (await holdsText(file));
  return { standing: 'file', bytes: found.size, isText };
}

/** What cannot be read is found out when it is attempted, with the reason. */
async function holdsText(file: string): Promise<boolean> {
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined) return true;
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\u0000');
  } catch {
    return false;
  }
}
