import * as z from 'zod';
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
  const state: SealedState<z.infer<typeof schema>> = {
    format: { format: 'whetstone-unconfirmed-training', version: 1, schema },
    file: `unconfirmed-training/${sha256(place).slice(0, 32)}.json`,
  };
  return {
    async isOn() {
      const reading = await readState(store, state);
      return reading.kind === 'verified' && reading.body.on;
    },
    async turn(on, signal) {
      await updateState(store, state, () => ({ on }), signal);
    },
  };
}
