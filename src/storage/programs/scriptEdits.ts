import * as z from 'zod';
import { readState, updateState, type SealedState } from '../files/sealedState.js';
import type { UserStore } from '../state/store.js';

interface ScriptEdits {
  readonly on: boolean;
}

const state: SealedState<ScriptEdits> = {
  format: { format: 'whetstone-scripts', version: 1, schema: z.object({ on: z.boolean() }) },
  file: 'scripts.json',
};

/** Whether the person lets edits change scripts of skills. A file that this user did not write here turns nothing on. */
export async function mayEditScripts(store: UserStore): Promise<boolean> {
  const reading = await readState(store, state);
  return reading.kind === 'verified' && reading.body.on;
}

/** The person's own word for this machine: no file of a workspace can say it. */
export async function allowScriptEdits(store: UserStore, on: boolean, signal: AbortSignal): Promise<void> {
  await updateState(store, state, () => ({ on }), signal);
}
