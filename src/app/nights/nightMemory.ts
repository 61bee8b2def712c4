import * as z from 'zod';
import { skillRecord } from '../../storage/state/skillRecords.js';
import type { SkillStore } from '../../storage/state/store.js';

const LastNight = z.object({ fingerprint: z.string(), at: z.number() });

/** What the last night of a skill started from: the same again would cost the same and find the same. */
export function nightMemory(store: SkillStore): {
  readonly last: () => Promise<string | undefined>;
  readonly remember: (fingerprint: string, signal: AbortSignal) => Promise<void>;
} {
  const record = skillRecord(store, 'last-nights', LastNight);
  return {
    async last() {
      const reading = await record.read();
      return reading.kind === 'verified' ? reading.body.fingerprint : undefined;
    },
    async remember(fingerprint, signal) {
      await record.update(() => ({ fingerprint, at: store.clock.now() }), signal);
    },
  };
}
