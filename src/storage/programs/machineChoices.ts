import * as z from 'zod';
import { readState, updateState, type SealedState } from '../files/sealedState.js';
import type { UserStore } from '../state/store.js';

/** The person's own word for this machine, sealed: no file of a workspace can say it, nor one that this user did not write. */
export interface MachineChoice {
  readonly isOn: (store: UserStore) => Promise<boolean>;
  readonly turn: (store: UserStore, on: boolean, signal: AbortSignal) => Promise<void>;
}

/** Whether programs of skills are contained. */
export const sandboxChoice = choiceOf('sandbox', true);

/** Whether this whole machine is one that is thrown away, so that agents may work on it without the sandbox. */
export const throwAwayChoice = choiceOf('machine', false);

/** Whether edits may change scripts of skills. */
export const scriptsChoice = choiceOf('scripts', false);

function choiceOf(name: string, usual: boolean): MachineChoice {
  const state: SealedState<{ readonly on: boolean }> = {
    format: { format: `whetstone-${name}`, version: 1, schema: z.object({ on: z.boolean() }) },
    file: `${name}.json`,
  };
  return {
    async isOn(store) {
      const reading = await readState(store, state);
      return reading.kind === 'verified' ? reading.body.on : usual;
    },
    async turn(store, on, signal) {
      await updateState(store, state, () => ({ on }), signal);
    },
  };
}
