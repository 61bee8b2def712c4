import { constants, type FileHandle, open } from 'node:fs/promises';
import { hasCode } from '../files/fileErrors.js';

/**
 * Files of other programs, read and left as they are: no link is followed, no pipe waited for, and where the system allows
 * it not even the time of the last look changes. At most as much is read as was there when the file was opened.
 */

/** There is no plain file of that name, or it cannot be read. */
export class NotPlainError extends Error {}

const pieceBytes = 64 * 1024;

/** The bytes of a file in pieces. Throws `NotPlainError` before the first. */
export async function* piecesOf(file: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const handle = await openQuietly(file);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new NotPlainError(file);
    for (let at = 0; at < found.size;) {
      signal.throwIfAborted();
      // A new one for each piece, as in Node's own streams: with one for all, the heap grows further while a file is read.
      const room = Buffer.alloc(Math.min(pieceBytes, found.size - at));
      const { bytesRead } = await handle.read(room, 0, room.length, at);
      if (bytesRead === 0) return;
      yield room.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** The text of a small file; undefined where there is none, or one that is longer than `most` bytes. */
export async function readQuietly(file: string, most: number): Promise<string | undefined> {
  try {
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const piece of piecesOf(file, neverAborted)) {
      size += piece.length;
      if (size > most) return undefined;
      parts.push(piece);
    }
    return Buffer.concat(parts).toString('utf8');
  } catch {
    return undefined;
  }
}

const neverAborted = new AbortController().signal;

async function openQuietly(file: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOATIME } = constants; // only Linux has the last; Windows has but the first
  const plain = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
  try {
    return await open(file, plain | O_NOATIME);
  } catch (error) {
    if (!hasCode(error, 'EPERM')) throw notPlain(file, error);
  }
  // The file is another user's: its time of the last look is not ours to keep.
  return open(file, plain).catch((error: unknown) => Promise.reject(notPlain(file, error)));
}

function notPlain(file: string, cause: unknown): NotPlainError {
  return new NotPlainError(file, { cause });
}
