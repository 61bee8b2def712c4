import { constants, open } from 'node:fs/promises';

/**
 * The text of a file that a program may have written, or put something else in its place: no link is followed, no pipe
 * waited for, and nothing read that is longer than `most` bytes. Undefined where there is no such file.
 */
export async function readPlainFile(file: string, most: number): Promise<string | undefined> {
  return (await readPlainBytes(file, most))?.toString('utf8');
}

/** The same as bytes. */
export async function readPlainBytes(file: string | Buffer, most: number): Promise<Buffer | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants; // the last two are undefined on Windows, which counts as 0
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.size > most) return undefined;
    // No more than was there when it was looked at, also where it grows.
    const room = Buffer.alloc(found.size);
    let length = 0;
    while (length < room.length) {
      const { bytesRead } = await handle.read(room, length, room.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return room.subarray(0, length);
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
