import * as z from 'zod';
import { readState, updateState, type SealedState } from '../../files/sealedState.js';
import type { UserStore } from '../../state/store.js';

interface DeclaredMachine {
  readonly throwAway: boolean;
}

const state: SealedState<DeclaredMachine> = {
  format: { format: 'whetstone-machine', version: 1, schema: z.object({ throwAway: z.boolean() }) },
  file: 'machine.json',
};

/**
 * Whether the person declared this whole machine one that is thrown away, so that agents may work on it without the sandbox.
 * A file that this user did not write here declares nothing.
 */
export async function isThrowAwayMachine(store: UserStore): Promise<boolean> {
  const reading = await readState(store, state);
  return reading.kind === 'verified' && reading.body.throwAway;
}

/** The person's own word for this machine: no file of a workspace can say it. */
export async function declareThrowAway(store: UserStore, throwAway: boolean, signal: AbortSignal): Promise<void> {
  await updateState(store, state, () => ({ throwAway }), signal);
}
