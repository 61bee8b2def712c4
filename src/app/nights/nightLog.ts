import * as z from 'zod';
import { sha256 } from '../../hash.js';
import { readRecord, updateRecord, type SealedRecord } from '../../storage/files/sealedRecord.js';
import type { UserStore } from '../../storage/state/store.js';
import type { NightResult } from './nightly.js';
import { placeOf } from './nightSchedule.js';

const mostNights = 30;

interface Nights {
  readonly nights: readonly NightResult[];
}

/** The file is sealed by this user: reading it back checks only that it is of the form we wrote. */
const schema = z.object({
  nights: z.array(
    z.custom<NightResult>(
      (value) =>
        z.object({ startedAt: z.number(), skills: z.array(z.object({ reason: z.string() })) }).safeParse(value).success,
    ),
  ),
});

/** What the nights of some folders did, whoever started them: a window shows what the operating system ran. */
export function nightLog(
  store: UserStore,
  folders: readonly string[],
): {
  readonly all: () => Promise<readonly NightResult[]>;
  readonly add: (night: NightResult, signal: AbortSignal) => Promise<void>;
} {
  const record: SealedRecord<Nights> = {
    format: { format: 'whetstone-nights', version: 1, schema },
    file: `night-logs/${sha256(placeOf(folders)).slice(0, 32)}.json`,
  };
  return {
    async all() {
      const reading = await readRecord(store, record);
      return reading.kind === 'verified' ? reading.body.nights.toReversed() : [];
    },
    async add(night, signal) {
      await updateRecord(
        store,
        record,
        (before) => ({ nights: [...(before?.nights ?? []), night].slice(-mostNights) }),
        signal,
      );
    },
  };
}
