import * as z from 'zod';
import { type CappedList, cappedList } from './skillState.js';
import type { SkillStore } from './store.js';

const mostTexts = 20_000; // twice as many as a skill may have tasks

/**
 * Keys of the words and files of every task that a run of this person has learned from. `split.json` says so too, for
 * everybody; it lies in the workspace and can be lost.
 */
export function trainedTextsOf(store: SkillStore): Pick<CappedList<string>, 'all' | 'add'> {
  return cappedList(store, {
    folder: 'trained-texts',
    schema: z.string(),
    keyOf: (key) => key,
    most: mostTexts,
    stored: (key) => key,
  });
}
