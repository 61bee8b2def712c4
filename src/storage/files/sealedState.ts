import path from 'node:path';
import { UserError } from '../../errors.js';
import { writeInto } from './insideFolder.js';
import { filePace, withLock } from './lock.js';
import { readSealed, type SealedFormat, type SealedReading, writeSealed } from './sealedFile.js';
import type { UserStore } from '../state/store.js';

/** A small sealed file in user state that several processes change. */
export interface SealedState<Body> {
  readonly format: SealedFormat<Body>;
  /** Path in user state; what the file is about follows from it. */
  readonly file: string;
  /** Made from other files, and made again where it is broken or was made elsewhere. */
  readonly derived?: boolean;
}

const waitMs = 10_000;

/** Reads without a lock: a file is always whole. */
export async function readState<Body>(
  store: UserStore,
  { format, file }: SealedState<Body>,
): Promise<SealedReading<Body>> {
  return readSealed({ key: store.key, format, about: file }, path.join(store.folder, file));
}

/**
 * Changes sealed state with no other process in between, and gives the new body. `change` may return what it was given to
 * leave the file alone, and may take its time. State that this user did not write here is not built upon: throws
 * `made-elsewhere`, unless it is derived.
 */
export async function updateState<Body extends object>(
  store: UserStore,
  state: SealedState<Body>,
  change: (before: Body | undefined) => Body | Promise<Body>,
  signal: AbortSignal,
): Promise<Body> {
  const file = path.join(store.folder, state.file);
  return withLock(lockOf(store, state.file), waitMs, signal, async (lock) => {
    const reading = await readState(store, state);
    const before = state.derived === true ? verifiedBody(reading) : trustedBody(file, reading);
    const after = await change(before);
    if (after === before) return after;
    const beforeRename = async (): Promise<void> => {
      if (!(await lock.isHeld())) lock.lost.throwIfAborted();
    };
    const sealing = { key: store.key, format: state.format, about: state.file };
    await writeInto(store.folder, file, () => writeSealed(sealing, file, after, { beforeRename }));
    return after;
  });
}

function verifiedBody<Body>(reading: SealedReading<Body>): Body | undefined {
  return reading.kind === 'verified' ? reading.body : undefined;
}

function trustedBody<Body>(file: string, reading: SealedReading<Body>): Body | undefined {
  switch (reading.kind) {
    case 'verified':
      return reading.body;
    case 'missing':
      return undefined;
    case 'made-elsewhere':
    case 'broken':
      throw new UserError(
        'made-elsewhere',
        `${file} was not written by you on this machine, or was changed since.`,
        'Delete the file to start it afresh.',
      );
  }
}

function lockOf(store: UserStore, file: string) {
  const { clock, self, probe } = store;
  const key = file.replaceAll(/[^\w-]/g, '_');
  return {
    folder: path.join(store.folder, 'locks'),
    key,
    what: `changing ${file}`,
    pace: filePace,
    clock,
    self,
    probe,
  };
}
