import { constants, lstat, open, type FileHandle } from 'node:fs/promises';
import type { Clock } from '../../ports/clock.js';
import { hasCode } from '../files/fileErrors.js';

/** What lies where an answer should: nothing yet, what cannot be taken with the reason, or an answer that is complete. */
export type AnswerReading =
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'complete'; readonly text: string };

/** An answer that nobody has written to for so long is complete. */
export const quietMs = 1000;
/** Whoever writes for longer is waited for when the run goes on. */
const mostLooks = 10;
const mostBytes = 1024 * 1024;

/**
 * Reads what somebody wrote as an answer. A link is not followed, a pipe not waited for, and what is still being written is
 * left for later; what is refused stays as it is.
 */
export function readAnswer(file: string, clock: Clock, signal: AbortSignal): Promise<AnswerReading> {
  return reading(file, (handle) => whileWritten(handle, clock, signal));
}

/** The same as it stands now, without waiting for whoever still writes it. */
export function lookAtAnswer(file: string): Promise<AnswerReading> {
  return reading(file, () => Promise.resolve(undefined));
}

async function reading(
  file: string,
  unrest: (handle: FileHandle) => Promise<string | undefined>,
): Promise<AnswerReading> {
  const handle = await openAnswer(file);
  if ('kind' in handle) return handle;
  try {
    const trouble = (await troubleOf(handle)) ?? (await unrest(handle));
    if (trouble !== undefined) return { kind: 'refused', why: trouble };
    return textOf(await bytesOf(handle));
  } finally {
    await handle.close();
  }
}

async function openAnswer(file: string): Promise<FileHandle | AnswerReading> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants; // the last two are undefined on Windows, which counts as 0
  try {
    if ((await lstat(file)).isSymbolicLink()) return { kind: 'refused', why: aLink };
    return await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { kind: 'missing' };
    if (hasCode(error, 'ELOOP', 'EMLINK')) return { kind: 'refused', why: aLink };
    if (hasCode(error, 'EISDIR')) return { kind: 'refused', why: notAFile };
    if (hasCode(error, 'EACCES', 'EPERM')) return { kind: 'refused', why: 'you may not read it' };
    if (hasCode(error, 'ENXIO')) return { kind: 'refused', why: notAFile };
    throw error;
  }
}

const notAFile = 'it is no file';
const aLink = 'it is a link, and none is followed';

async function troubleOf(handle: FileHandle): Promise<string | undefined> {
  const found = await handle.stat();
  if (!found.isFile()) return notAFile;
  if (found.nlink > 1) return aLink;
  if (found.size > mostBytes) return 'it is longer than 1 MB';
  return undefined;
}

/**
 * Why it cannot be taken yet; undefined once nobody has written to it for a while. Anyone can set the time of the last
 * write, and nobody that of the last change.
 */
async function whileWritten(handle: FileHandle, clock: Clock, signal: AbortSignal): Promise<string | undefined> {
  for (let look = 0, before = await handle.stat(); look < mostLooks; look += 1) {
    const { mtimeMs, ctimeMs } = before;
    if ([mtimeMs, ctimeMs].every((at) => Math.abs(clock.now() - at) >= quietMs)) return undefined;
    await clock.sleep(quietMs, signal);
    const now = await handle.stat();
    if (now.mtimeMs === mtimeMs && now.ctimeMs === ctimeMs && now.size === before.size) return undefined;
    before = now;
  }
  return 'it is still being written';
}

/** No more than was allowed, also where it has grown since. */
async function bytesOf(handle: FileHandle): Promise<Buffer> {
  const room = Buffer.allocUnsafe(mostBytes + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(room, length, room.length - length, length);
    if (bytesRead === 0) return room.subarray(0, length);
    length += bytesRead;
  }
}

function textOf(bytes: Buffer): AnswerReading {
  if (bytes.length > mostBytes) return { kind: 'refused', why: 'it is longer than 1 MB' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.includes('\0')) return { kind: 'refused', why: 'it is no text in UTF-8' };
    if (text.trim() === '') return { kind: 'refused', why: 'it is empty' };
    // Most editors end a file with a line break of their own.
    return { kind: 'complete', text: text.replace(/\r?\n$/, '') };
  } catch {
    return { kind: 'refused', why: 'it is no text in UTF-8' };
  }
}
