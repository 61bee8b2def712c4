import * as z from 'zod';
import { type SkillRecord, type SkillRecordFolder, skillRecord } from './skillRecords.js';
import type { SkillStore } from './store.js';

/** A list that a skill remembers over its runs; the oldest items go when it is full. */
export interface CappedList<Item> {
  /** Newest last. Empty where the file is missing, broken or made elsewhere: it only ever helps, it proves nothing. */
  all(): Promise<readonly Item[]>;
  /** Adds items; one that is already known by its key moves to the end. */
  add(items: readonly Item[], signal: AbortSignal): Promise<void>;
  /** Forgets items, by their keys. */
  remove(items: readonly Item[], signal: AbortSignal): Promise<void>;
}

/** How a list is stored: equal keys are one item, and `most` bounds what a prompt or a recall has to go through. */
export interface CappedListOptions<Item> {
  readonly folder: SkillRecordFolder;
  readonly schema: z.ZodType<Item>;
  readonly keyOf: (item: Item) => string;
  readonly most: number;
}

/** Opens the list; nothing is read or written before it is asked for. */
export function cappedList<Item>(store: SkillStore, options: CappedListOptions<Item>): CappedList<Item> {
  const { folder, schema, keyOf, most } = options;
  const record: SkillRecord<{ readonly items: readonly Item[] }> = skillRecord(
    store,
    folder,
    z.object({ items: z.array(schema) }),
  );
  const all = async (): Promise<readonly Item[]> => {
    const reading = await record.read();
    return reading.kind === 'verified' ? reading.body.items : [];
  };
  return {
    all,
    add: async (items, signal) => {
      if (items.length === 0) return;
      await record.update((before) => {
        const added = new Map([...(before?.items ?? []), ...items].map((item) => [keyOf(item), item]));
        for (const item of items) {
          added.delete(keyOf(item));
          added.set(keyOf(item), item);
        }
        return { items: [...added.values()].slice(-most) };
      }, signal);
    },
    remove: async (items, signal) => {
      const gone = new Set(items.map(keyOf));
      if (!(await all()).some((item) => gone.has(keyOf(item)))) return;
      await record.update((before) => {
        return { items: (before?.items ?? []).filter((item) => !gone.has(keyOf(item))) };
      }, signal);
    },
  };
}
