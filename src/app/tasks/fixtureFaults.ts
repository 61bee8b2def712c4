import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { leavesFolder, listFixtures, type Task } from '../../tasks/task.js';

const mostAtOnce = 64;
/** What `chat` and `tools` can show to a model. */
const mostInlinedBytes = 64 * 1024;

interface Fixture {
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
  const fixtures = new Map<string, Fixture | undefined>();
  for (let at = 0; at < files.length; at += mostAtOnce) {
    const some = files.slice(at, at + mostAtOnce);
    const found = await Promise.all(some.map((file) => lookAt(path.join(folder, file))));
    some.forEach((file, index) => fixtures.set(file, found[index]));
  }
  return (file, task) => {
    if (!fixtures.has(file)) return undefined;
    if (fixtures.get(file) === undefined) return `The fixture “${file}” of the task “${task.id}” is missing.`;
    return task.environment === 'chat' || task.environment === 'tools' ? unreadable(file, task, fixtures) : undefined;
  };
}

/** Why a model that only reads cannot be shown a fixture that is there. */
function unreadable(file: string, task: Task, fixtures: ReadonlyMap<string, Fixture | undefined>): string | undefined {
  const needsAgent = `the task “${task.id}” needs the environment “agent”.`;
  const bytesOf = (name: string): number => fixtures.get(name)?.bytes ?? 0;
  if (bytesOf(file) > mostInlinedBytes) return `The fixture “${file}” is over 64 KB: ${needsAgent}`;
  if (fixtures.get(file)?.isText === false) return `The fixture “${file}” is not UTF-8 text: ${needsAgent}`;
  const all = listFixtures(task);
  const before = all.slice(0, all.indexOf(file)).reduce((sum, name) => sum + bytesOf(name), 0);
  const passesIt = before <= mostInlinedBytes && before + bytesOf(file) > mostInlinedBytes;
  return passesIt ? `With “${file}” the fixtures are over 64 KB: ${needsAgent}` : undefined;
}

async function lookAt(file: string): Promise<Fixture | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  return { bytes: found.size, isText: found.size > mostInlinedBytes || (await holdsText(file)) };
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
