import type { z } from 'zod';
import { canonicalJson } from '../../hash.js';
import { type CappedList, cappedList } from '../state/cappedList.js';
import type { SkillStore } from '../state/store.js';

const mostEdits = 200; // a prompt shows a few dozen; older lessons were about a text that is gone

/**
 * Edits of a skill that were measured or judged and not taken, over all runs: they are not proposed again. Each is held
 * once, with the reason that was given last.
 */
export function rejectedEditsOf<Rejected extends object>(
  store: SkillStore,
  schema: z.ZodType<Rejected>,
): CappedList<Rejected> {
  return cappedList(store, { folder: 'rejected-edits', schema, keyOf: editKey, most: mostEdits });
}

function editKey(rejected: object): string {
  const { reason: _reason, ...edit } = { reason: undefined, ...rejected };
  return canonicalJson(edit);
}
