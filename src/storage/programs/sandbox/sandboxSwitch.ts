import * as z from 'zod';
import { readState, updateState, type SealedState } from '../../files/sealedState.js';
import type { UserStore } from '../../state/store.js';

interface SandboxSwitch {
  readonly on: boolean;
}

const state: SealedState<SandboxSwitch> = {
  format: { format: 'whetstone-sandbox', version: 1, schema: z.object({ on: z.boolean() }) },
  file: 'sandbox.json',
};

/** Whether the person left the sandbox on. A file that this user did not write here turns nothing off. */
export async function isSandboxOn(store: UserStore): Promise<boolean> {
  const reading = await readState(store, state);
  return reading.kind !== 'verified' || reading.body.on;
}

/** The person's own word for this machine: no file of a workspace can say it. */
export async function turnSandbox(store: UserStore, on: boolean, signal: AbortSignal): Promise<void> {
  await updateState(store, state, () => ({ on }), signal);
}
