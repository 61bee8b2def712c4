import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
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
  const leave = await enter(`${fixedPlace}.lock`);
  return {
    ...storePlace(fixedPlace),
    unpack: () => unpackStore(store, fixedPlace),
    dispose: () => {
      rmSync(fixedPlace, { recursive: true, force: true });
      leave();
    },
  };
}

/** Another folder: as after the person moved the workspace, together with their user state. */
export function somewhereElse(store: PackedStore): UnpackingPlace {
  const root = realpathSync(mkdtempSync(path.join(inMemory, 'whetstone-moved-')));
  return {
    ...storePlace(root),
    unpack: () => unpackStore(store, root),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Waits until no other process is there; one that died does not keep the place. */
async function enter(lock: string): Promise<() => void> {
  for (let waited = 0; waited < 600; waited += 1) {
    try {
      mkdirSync(lock);
      writeFileSync(path.join(lock, 'pid'), String(process.pid));
      return () => rmSync(lock, { recursive: true, force: true });
    } catch {
      if (waited > 2 && !isAlive(holderOf(lock))) rmSync(lock, { recursive: true, force: true });
      else await wait(50);
    }
  }
  throw new Error(`${lock} is held by another process`);
}

function holderOf(lock: string): number {
  try {
    return Number(readFileSync(path.join(lock, 'pid'), 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
