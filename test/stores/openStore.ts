import { existsSync, linkSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { PackedStore, unpackStore } from './packStore.js';
import { fixedPlace, storePlace, type StorePlace } from './storePlace.js';

const hour = 3_600_000;
/** In memory where the system has such a place: a busy disk would set the pace of the tests. */
const inMemory = existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

/** The store that a version left on disk, and what that version showed of it. */
export interface FixtureStore {
  readonly store: PackedStore;
  readonly seen: z.infer<typeof Seen>;
  /** A moment soon after the store was written. */
  readonly later: number;
}

const anything = z.record(z.string(), z.unknown());

const Seen = z.looseObject({
  skills: z.record(z.string(), anything),
  spend: anything,
  osSchedule: z.object({ id: z.string(), text: z.string(), logFile: z.string() }),
  resumed: z.object({ runId: z.string(), proposal: anything, calls: z.number(), cutAfter: z.number() }),
});

export function readFixtureStore(version: string): FixtureStore {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(path.resolve('test/fixtures/stores', version, name), 'utf8'));
  const store = PackedStore.parse(read('store.json'));
  return { store, seen: Seen.parse(read('seen.json')), later: store.at + hour };
}

/** A place to unpack a store in, again and again. */
export interface UnpackingPlace extends StorePlace {
  unpack(): void;
  dispose(): void;
}

/** Where the store was written, for one process at a time. */
export async function whereItWasWritten(store: PackedStore): Promise<UnpackingPlace> {
  return placeIn(fixedPlace, store, await enter());
}

/**
 * Another folder: as after the person moved the workspace, together with their user state. Nobody else has it where it
 * was written meanwhile, for then it would be a copy.
 */
export async function somewhereElse(store: PackedStore): Promise<UnpackingPlace> {
  const leave = await enter();
  rmSync(fixedPlace, { recursive: true, force: true });
  return placeIn(realpathSync(mkdtempSync(path.join(inMemory, 'whetstone-moved-'))), store, leave);
}

function placeIn(root: string, store: PackedStore, leave: () => void): UnpackingPlace {
  return {
    ...storePlace(root),
    unpack: () => unpackStore(store, root),
    dispose: () => {
      rmSync(root, { recursive: true, force: true });
      leave();
    },
  };
}

const lock = process.platform === 'win32' ? path.join(os.tmpdir(), 'whetstone-store-1.lock') : `${fixedPlace}.lock`;

/** Waits until no other process is there; one that died does not keep the place. */
async function enter(): Promise<() => void> {
  const draft = `${lock}.${process.pid}`;
  writeFileSync(draft, String(process.pid));
  try {
    while (!isTaken(draft)) {
      if (isAlive(holder())) await wait(50);
      else rmSync(lock, { force: true });
    }
  } finally {
    rmSync(draft);
  }
  return () => rmSync(lock, { force: true });
}

/** Whole with its holder's name, or not at all. */
function isTaken(draft: string): boolean {
  try {
    linkSync(draft, lock);
    return true;
  } catch {
    return false;
  }
}

function holder(): number {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return process.pid; // it has left in this moment: try again
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
