import * as z from 'zod';
import { readState, updateState, type SealedState } from '../files/sealedState.js';
import type { UserStore } from './store.js';

interface KeptNames {
  readonly paths: Readonly<Record<string, string>>;
}

const names: SealedState<KeptNames> = {
  format: {
    format: 'whetstone-auto-adopt',
    version: 1,
    schema: z.object({ paths: z.record(z.string(), z.string()) }),
  },
  file: 'auto-adopt.json',
};

/** Which skill each name stands for, once it was found. A file that this user did not write here names none. */
export async function keptPaths(store: UserStore): Promise<ReadonlyMap<string, string>> {
  const reading = await readState(store, names);
  return new Map(reading.kind === 'verified' ? Object.entries(reading.body.paths) : []);
}

/** Keeps what a name stands for; one that is kept stays. */
export async function keepPaths(
  store: UserStore,
  found: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  if (Object.keys(found).length === 0) return;
  await updateState(store, names, (before) => ({ paths: { ...found, ...before?.paths } }), signal);
}
