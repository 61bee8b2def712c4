import { messageOf } from '../errors.js';
import type { FixtureFiles } from '../ports/files.js';
import { fence } from '../prompts/fence.js';
import { leavesFolder, listFixtures } from '../tasks/fixtures.js';
import type { Task } from '../tasks/task.js';

/** More than this is not read by a person either; such a task needs an agent with a file system. */
const mostFixtureBytes = 64 * 1024;

export type FixtureTexts =
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  | { readonly kind: 'invalid'; readonly reason: string };

/**
 * The fixtures of a task as text, each in a fence that it cannot close. Whatever cannot be shown to a model that only
 * reads (too much, not text, not there) makes this task invalid and never the run: the others still count.
 */
export async function readFixtureTexts(
  task: Pick<Task, 'files'>,
  { files, folder }: { readonly files: FixtureFiles; readonly folder: string },
  signal: AbortSignal,
): Promise<FixtureTexts> {
  const texts: string[] = [];
  let bytes = 0;
  for (const file of listFixtures(task)) {
    const content = leavesFolder(file)
      ? `The fixture ${file} could lie outside the folder of the skill.`
      : await contentOf(file, { files, folder }, signal);
    if (typeof content === 'string') return { kind: 'invalid', reason: content };
    bytes += content.byteLength;
    if (bytes > mostFixtureBytes) {
      return { kind: 'invalid', reason: `The fixtures of this task are over 64 KB; it needs the environment “agent”.` };
    }
    const text = decode(content);
    if (text === undefined) {
      return { kind: 'invalid', reason: `The fixture ${file} is not text; this task needs the environment “agent”.` };
    }
    texts.push(`${file}:\n${fence('file', text)}`);
  }
  return { kind: 'texts', texts };
}

/** The bytes, or the sentence that says why there are none. */
async function contentOf(
  file: string,
  { files, folder }: { readonly files: FixtureFiles; readonly folder: string },
  signal: AbortSignal,
): Promise<Uint8Array | string> {
  try {
    return (await files.read(`${folder}/${file}`, signal)) ?? `The fixture ${file} of this task is missing.`;
  } catch (error) {
    signal.throwIfAborted();
    return `The fixture ${file} of this task cannot be read: ${messageOf(error)}`;
  }
}

function decode(content: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    return text.includes('\u0000') ? undefined : text;
  } catch {
    return undefined; // Not UTF-8: the caller says what the task needs instead.
  }
}
