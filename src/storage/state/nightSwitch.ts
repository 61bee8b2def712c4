import * as z from 'zod';
import { readState, updateState, type SealedState } from '../files/sealedState.js';
import { nightSwitchFile } from './nightPlace.js';
import type { UserStore } from './store.js';

interface NightSwitch {
  readonly on: boolean;
}

const schema: z.ZodType<NightSwitch> = z.object({ on: z.boolean() });

/** Whether nights are on in a place: the person's own word, in no file that a team shares. */
export function nightSwitchOf(
  store: UserStore,
  place: string,
): {
  /** Undefined where the person has not said. */
  readonly read: () => Promise<boolean | undefined>;
  readonly turn: (on: boolean, signal: AbortSignal) => Promise<void>;
  /** Turns only what nobody has turned yet, and gives what holds then: the person may have been faster. */
  readonly turnFirst: (on: boolean, signal: AbortSignal) => Promise<boolean>;
} {
  const state: SealedState<NightSwitch> = {
    format: { format: 'whetstone-night-switch', version: 1, schema },
    file: nightSwitchFile(place),
  };
  return {
    async read() {
      const reading = await readState(store, state);
      return reading.kind === 'verified' ? reading.body.on : undefined;
    },
    async turn(on, signal) {
      await updateState(store, state, () => ({ on }), signal);
    },
    turnFirst: async (on, signal) => (await updateState(store, state, (before) => before ?? { on }, signal)).on,
  };
}
