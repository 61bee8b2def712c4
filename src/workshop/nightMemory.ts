import * as z from 'zod';
import { readRecord, updateRecord, type SealedRecord } from '../storage/sealedRecord.js';
import type { SkillStore } from '../storage/store.js';

interface LastNight {
  readonly fingerprint: string;
  readonly at: number;
}

/** What the last night of a skill started from: the same again would cost the same and find the same. */
export function nightMemory(store: SkillStore): {
  readonly last: () => Promise<string | undefined>;
  readonly remember: (fingerprint: string, signal: AbortSignal) => Promise<void>;
} {
  const record: SealedRecord<LastNight> = {
    format: {
      format: 'whetstone-last-night',
      version: 1,
      schema: z.object({ fingerprint: z.string(), at: z.number() }),
    },
    file: `nights/${store.places.skillId}.json`,
  };
  return {
    async last() {
      const reading = await readRecord(store, record);
      return reading.kind === 'verified' ? reading.body.fingerprint : undefined;
    },
    async remember(fingerprint, signal) {
      await updateRecord(store, record, () => ({ fingerprint, at: store.clock.now() }), signal);
    },
  };
}
