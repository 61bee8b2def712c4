import type { z } from 'zod';
import { readRecord, type SealedRecord, updateRecord } from '../files/sealedRecord.js';
import type { SealedReading } from '../files/sealedFile.js';
import type { SkillStore } from './store.js';

/** A sealed value that a skill has in user state: it follows the skill when it moves, and goes when it is cleaned. */
export interface SkillRecord<Body> {
  read(): Promise<SealedReading<Body>>;
  /**
   * With no other process in between. Returning what was given leaves the file alone. Throws `made-elsewhere` on a
   * file that this user did not write here.
   */
  update(change: (before: Body | undefined) => Body, signal: AbortSignal): Promise<Body>;
}

/** The folders of user state that hold a file for each skill; `clean` empties all of them. */
export const skillRecordFolders = [
  'certifications',
  'last-nights',
  'measured-texts',
  'rejected-edits',
  'task-archives',
] as const;

/** A new kind of record is added to the list above, and is cleaned from then on. */
export type SkillRecordFolder = (typeof skillRecordFolders)[number];

/** Opens a record of the store's skill; nothing is read or written before it is asked for. */
export function skillRecord<Body extends object>(
  store: SkillStore,
  folder: SkillRecordFolder,
  schema: z.ZodType<Body>,
): SkillRecord<Body> {
  const record: SealedRecord<Body> = {
    format: { format: `whetstone-${folder}`, version: 1, schema },
    file: `${folder}/${store.places.skillId}.json`,
  };
  return {
    read: () => readRecord(store, record),
    update: (change, signal) => updateRecord(store, record, change, signal),
  };
}
