import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { unlessMissing } from '../files/fileErrors.js';
import { sha256 } from '../../hash.js';
import { readState, updateState, type SealedState } from '../files/sealedState.js';
import type { UserStore } from '../state/store.js';

const schema = z.object({ on: z.boolean() });

/**
 * Whether nights of a place may learn from drafts out of sessions that nobody confirmed: the person's own word, in no file
 * of a workspace. A file that this user did not write here says no.
 */
export function unconfirmedTrainingOf(
  store: UserStore,
  place: string,
): {
  readonly isOn: () => Promise<boolean>;
  readonly turn: (on: boolean, signal: AbortSignal) => Promise<void>;
} {
  const state = switchIn(`${sha256(place).slice(0, 32)}.json`);
  return {
    isOn: () => isOnIn(store, state),
    async turn(on, signal) {
      await updateState(store, state, () => ({ on }), signal);
    },
  };
}

/** In how many places it is on. */
export async function unconfirmedPlaces(store: UserStore): Promise<number> {
  return (await switchedOn(store)).length;
}

/** Turns it off in every place; gives in how many it was on. */
export async function endUnconfirmedTraining(store: UserStore, signal: AbortSignal): Promise<number> {
  const on = await switchedOn(store);
  for (const state of on) await updateState(store, state, () => ({ on: false }), signal);
  return on.length;
}

type Switch = SealedState<z.infer<typeof schema>>;

const folder = 'unconfirmed-training';

function switchIn(name: string): Switch {
  return { format: { format: 'whetstone-unconfirmed-training', version: 1, schema }, file: `${folder}/${name}` };
}

async function isOnIn(store: UserStore, state: Switch): Promise<boolean> {
  const reading = await readState(store, state);
  return reading.kind === 'verified' && reading.body.on;
}

async function switchedOn(store: UserStore): Promise<readonly Switch[]> {
  const names = (await unlessMissing(readdir(path.join(store.folder, folder)))) ?? [];
  const all = names.filter((name) => name.endsWith('.json')).map(switchIn);
  const on = await Promise.all(all.map((state) => isOnIn(store, state)));
  return all.filter((_, index) => on[index]);
}
