import { stat } from 'node:fs/promises';
import path from 'node:path';
import { leavesFolder, listFixtures } from '../tasks/fixtures.js';
import type { Task } from '../tasks/task.js';

const mostAtOnce = 64;
/** What `chat` and `tools` can show to a model. */
const mostInlinedBytes = 64 * 1024;

/** Looks at every fixture once and says what keeps a task from using it. */
export async function fixtureFaults(
  folder: string,
  tasks: readonly Task[],
): Promise<(file: string, task: Task) => string | undefined> {
  const files = [...new Set(tasks.flatMap((task) => listFixtures(task)))].filter((file) => !leavesFolder(file));
  const sizes = new Map<string, number | undefined>();
  for (let at = 0; at < files.length; at += mostAtOnce) {
    const some = files.slice(at, at + mostAtOnce);
    const found = await Promise.all(some.map((file) => sizeOf(path.join(folder, file))));
    some.forEach((file, index) => sizes.set(file, found[index]));
  }
  return (file, task) => {
    if (!sizes.has(file)) return undefined;
    const size = sizes.get(file);
    if (size === undefined) return `The fixture “${file}” of the task “${task.id}” is missing.`;
    const inlined = task.environment === 'chat' || task.environment === 'tools';
    return inlined && size > mostInlinedBytes
      ? `The fixture “${file}” is over 64 KB: the task “${task.id}” needs the environment “agent”.`
      : undefined;
  };
}

async function sizeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true ? found.size : undefined;
}
