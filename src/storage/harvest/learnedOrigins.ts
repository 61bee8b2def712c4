import * as z from 'zod';
import { type CappedList, cappedList } from '../state/skillState.js';
import type { SkillStore } from '../state/store.js';

const mostOrigins = 20_000; // as many as texts that were learned from

/**
 * Where the tasks came from that a run of this person has learned from, in codes: the sessions themselves are not named.
 * The archive of past tasks keeps only the newest, and what was learned from once proves nothing ever after.
 */
export function learnedOriginsOf(store: SkillStore): Pick<CappedList<string>, 'all' | 'add'> {
  return cappedList(store, {
    folder: 'learned-origins',
    schema: z.string(),
    keyOf: (origin) => origin,
    most: mostOrigins,
    stored: (origin) => origin,
  });
}
