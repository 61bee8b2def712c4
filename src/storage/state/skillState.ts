import * as z from 'zod';
import { readState, type SealedState, updateState } from '../files/sealedState.js';
import type { SealedFormat, SealedReading } from '../files/sealedFile.js';
import type { SkillStore } from './store.js';

/** A sealed value that a skill has in user state: it follows the skill when it moves, and goes when it is cleaned. */
export interface SkillState<Body> {
  read(): Promise<SealedReading<Body>>;
  /**
   * With no other process in between. Returning what was given leaves the file alone. Throws `made-elsewhere` on a
   * file that this user did not write here.
   */
  update(change: (before: Body | undefined) => Body, signal: AbortSignal): Promise<Body>;
}

/** The folders of user state that hold a file for each skill; `clean` empties all of them. */
export const skillStateFolders = [
  'batches',
  'certifications',
  'empty-sessions',
  'harvested-drafts',
  'judge-labels',
  'last-nights',
  'learned-origins',
  'measured-texts',
  'meta-skills',
  'redactions',
  'rejected-edits',
  'task-archives',
  'trained-texts',
] as const;

/** A new kind of state is added to the list above, and is cleaned from then on. */
type SkillStateFolder = (typeof skillStateFolders)[number];

/** Opens one kind of state of the store's skill; nothing is read or written before it is asked for. */
export function skillState<Body extends object>(
  store: SkillStore,
  folder: SkillStateFolder,
  schema: z.ZodType<Body>,
  versions: Pick<SealedFormat<Body>, 'version' | 'versionOf'> = { version: 1 },
): SkillState<Body> {
  const state: SealedState<Body> = {
    format: { format: `whetstone-${folder}`, ...versions, schema },
    file: `${folder}/${store.places.skillId}.json`,
  };
  return {
    read: () => readState(store, state),
    update: (change, signal) => updateState(store, state, change, signal),
  };
}

/** A list that a skill remembers over its runs; the oldest items go when it is full. */
export interface CappedList<Item> {
  /** Newest last. Empty where the file is missing, broken or made elsewhere: it only ever helps, it proves nothing. */
  all(): Promise<readonly Item[]>;
  /** Adds items; one that is already known by its key moves to the end. */
  add(items: readonly Item[], signal: AbortSignal): Promise<void>;
  /** Forgets items, by their keys. */
  remove(items: readonly Item[], signal: AbortSignal): Promise<void>;
  /** Stores every item once more, as it would be stored today. */
  clean(signal: AbortSignal): Promise<void>;
}

/** How a list is stored: equal keys are one item, and `most` bounds what a prompt or a recall has to go through. */
interface CappedListOptions<Item> {
  readonly folder: SkillStateFolder;
  readonly schema: z.ZodType<Item>;
  readonly keyOf: (item: Item) => string;
  readonly most: number;
  /** What is stored of an item; the same item where nothing of it is left out. */
  readonly stored: (item: Item) => Item;
  /** Whether an item has what version 2 of the list brought, where there is one: an earlier version would drop it. */
  readonly isOfVersion2?: (item: Item) => boolean;
}

/** Opens the list; nothing is read or written before it is asked for. */
export function cappedList<Item>(store: SkillStore, options: CappedListOptions<Item>): CappedList<Item> {
  const { folder, schema, keyOf, most, stored, isOfVersion2 } = options;
  const state: SkillState<{ readonly items: readonly Item[] }> = skillState(
    store,
    folder,
    z.object({ items: z.array(schema) }),
    isOfVersion2 && { version: 2, versionOf: ({ items }) => (items.some(isOfVersion2) ? 2 : 1) },
  );
  const all = async (): Promise<readonly Item[]> => {
    const reading = await state.read();
    return reading.kind === 'verified' ? reading.body.items : [];
  };
  return {
    all,
    add: async (given, signal) => {
      if (given.length === 0) return;
      const items = given.map(stored);
      await state.update((before) => {
        const added = new Map([...(before?.items ?? []), ...items].map((item) => [keyOf(item), item]));
        for (const item of items) {
          added.delete(keyOf(item));
          added.set(keyOf(item), item);
        }
        return { items: [...added.values()].slice(-most) };
      }, signal);
    },
    clean: async (signal) => {
      const now = await all();
      if (now.every((item) => stored(item) === item)) return;
      await state.update((before) => ({ items: (before?.items ?? []).map(stored) }), signal);
    },
    remove: async (items, signal) => {
      const gone = new Set(items.map((item) => keyOf(stored(item))));
      if (!(await all()).some((item) => gone.has(keyOf(item)))) return;
      await state.update((before) => {
        return { items: (before?.items ?? []).filter((item) => !gone.has(keyOf(item))) };
      }, signal);
    },
  };
}
