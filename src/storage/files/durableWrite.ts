import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hasCode, unlessMissing } from './fileErrors.js';

/** What a write keeps and who watches it; all of it may be left out. */
export interface DurableWriteOptions {
  /** Permissions of the file; without it an existing file keeps its own. */
  readonly mode?: number;
  /** Where the bytes are gathered before the rename, beside the target; a fixed name lets recovery clear it away. */
  readonly temporaryName?: string;
  /** Called once the bytes are on disk; throwing leaves the target as it was. */
  readonly beforeRename?: () => Promise<void>;
  readonly probe?: Probe;
  /**
   * `process`: whole after any kill, but not waited for until it survives a power cut, and with the permissions given
   * instead of those that an older file has. For the many small files that may be lost.
   */
  readonly survives?: 'power-cut' | 'process';
}

/**
 * Replaces a file whole: whoever reads `target`, at any moment and after any crash, finds the old bytes or the new
 * ones. When it resolves, the new ones survive a power cut. A link at `target` is replaced, never followed. Every byte
 * is written or it throws: a full disk leaves the old file.
 */
export async function durableWrite(
  target: string,
  content: string | Uint8Array,
  options: DurableWriteOptions = {},
): Promise<void> {
  const probe = options.probe ?? noProbe;
  const folder = path.dirname(target);
  const temporary = path.join(folder, options.temporaryName ?? temporaryNameFor(target));
  const isLasting = options.survives !== 'process';
  const before = isLasting ? await unlessMissing(stat(target)) : undefined;
  try {
    await writeWhole(
      temporary,
      content,
      async (handle) => {
        await keepPermissions(handle, options.mode ?? before?.mode, before);
        probe('fsync');
        if (isLasting) await handle.sync();
      },
      probe,
    );
    await options.beforeRename?.();
    probe('rename');
    await renameOver(temporary, target);
  } catch (error) {
    // Why the write failed is said, not that its draft could not be taken away either.
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  probe('renamed');
  if (isLasting) await syncFolder(folder);
}

/** A hidden name beside the target that nothing else uses; clearing away what a crash left looks for its ending. */
export function temporaryNameFor(target: string, token = randomBytes(6).toString('hex')): string {
  return `.${path.basename(target)}.${token}${temporaryEnding}`;
}

/** Marks a file that was never finished; git and people can tell whose it is. */
export const temporaryEnding = '.whetstone-tmp';

/** Makes the names in a folder survive a power cut. Windows cannot sync folders and needs not. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EISDIR', 'EACCES', 'EINVAL', 'ENOTSUP')) throw error;
  }
}

const draftMode = 0o600;

async function writeWhole(
  file: string,
  content: string | Uint8Array,
  finish: (handle: FileHandle) => Promise<void>,
  probe: Probe,
): Promise<void> {
  probe('write');
  const handle = await open(file, 'wx', draftMode);
  try {
    // `writeFile` of a handle goes on after a short write; a full disk is an error there, not a shorter file.
    await handle.writeFile(content);
    probe('written');
    await finish(handle);
  } finally {
    await handle.close();
  }
}

/** As far as the file system knows permissions; until then the draft is closed to everybody else. */
async function keepPermissions(
  handle: FileHandle,
  mode: number | undefined,
  before: { readonly uid: number; readonly gid: number } | undefined,
): Promise<void> {
  try {
    if (before !== undefined && process.getuid?.() === 0) await handle.chown(before.uid, before.gid);
    const wanted = (mode ?? 0o644) & 0o7777;
    if (wanted !== draftMode) await handle.chmod(wanted);
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'ENOSYS', 'ENOTSUP', 'EINVAL')) throw error;
  }
}

const renameAttempts = 8; // Windows: a virus scanner or an editor may hold the target open for a moment
const renamePauseMs = 40;

async function renameOver(from: string, to: string, attempt = 1): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    const held = process.platform === 'win32' && hasCode(error, 'EPERM', 'EACCES', 'EBUSY');
    if (!held || attempt >= renameAttempts) throw error;
    await wait(renamePauseMs * attempt);
    await renameOver(from, to, attempt + 1);
  }
}

/**
 * Told which point of a write is reached, just before it. Tests end the process there, to prove that every point is
 * safe to die at. Synchronous, so that nothing else runs in between.
 */
export type Probe = (point: string) => void;

/** Outside of tests nobody watches. */
export const noProbe: Probe = () => undefined;

/** The same probe, with the points of one file told apart from those of others: `receipt:rename`. */
export function probeOf(probe: Probe, part: string): Probe {
  return (point) => probe(`${part}:${point}`);
}
