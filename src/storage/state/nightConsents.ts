import * as z from 'zod';
import { sha256 } from '../../hash.js';
import { readState, updateState, type SealedState } from '../files/sealedState.js';
import type { UserStore } from './store.js';

const settings = z.object({
  enabled: z.boolean().optional(),
  time: z.string().optional(),
  catchUp: z.string().optional(),
  exclude: z.array(z.string()).readonly().optional(),
  skipOnBattery: z.boolean().optional(),
});

const layer = z.record(z.string(), z.unknown());

/**
 * What a person agreed to for the nights of some folders, beside the models. A part that is absent was not asked about
 * yet: a consent of an earlier version has neither.
 */
export interface NightConsent {
  readonly settings?: Readonly<z.infer<typeof settings>> | undefined;
  /** What each `config.yaml` said, by the folder that holds it. */
  readonly options?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

const schema: z.ZodType<NightConsent> = z.object({
  settings: settings.optional(),
  options: z.record(z.string(), layer).optional(),
});

/** The agreement about the nights of a place. A file that this user did not write here agrees to nothing. */
export function nightConsentOf(
  store: UserStore,
  place: string,
): {
  readonly read: () => Promise<NightConsent | undefined>;
  readonly add: (parts: NightConsent, signal: AbortSignal) => Promise<void>;
  /** Adds only what is absent, and gives what is there then: another window may have been faster. */
  readonly addAbsent: (parts: NightConsent, signal: AbortSignal) => Promise<NightConsent>;
} {
  const state: SealedState<NightConsent> = {
    format: { format: 'whetstone-night-consent', version: 1, schema },
    file: `night-consents/${sha256(place).slice(0, 32)}.json`,
  };
  return {
    async read() {
      const reading = await readState(store, state);
      return reading.kind === 'verified' ? reading.body : undefined;
    },
    async add(parts, signal) {
      await updateState(store, state, (before) => ({ ...before, ...parts }), signal);
    },
    addAbsent: (parts, signal) => updateState(store, state, (before) => ({ ...parts, ...before }), signal),
  };
}
