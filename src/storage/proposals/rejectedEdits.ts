import * as z from 'zod';
import { canonicalJson } from '../../hash.js';
import { type CappedList, cappedList } from '../state/skillState.js';
import type { SkillStore } from '../state/store.js';

const mostEdits = 200; // a prompt shows a few dozen; older lessons were about a text that is gone

/** An edit that was not taken, and why. */
export const RejectedEditSchema = z.object({
  op: z.string(),
  /** Only of a file beside SKILL.md. */
  file: z.string().optional(),
  anchor: z.string().optional(),
  content: z.string().optional(),
  reason: z.string(),
  /** Only where it harmed nothing: the held-out tasks that showed no gain. Earlier versions kept none. */
  notShownOn: z.array(z.string()).readonly().optional(),
});
type RejectedEdit = z.output<typeof RejectedEditSchema>;

/**
 * Edits of a skill that were measured or judged and not taken, over all runs: they are not proposed again, unless they
 * were only not shown to help and there are new held-out tasks. Each is held once, with the reason that was given last.
 */
export function rejectedEditsOf(store: SkillStore): CappedList<RejectedEdit> {
  const list = cappedList(store, {
    folder: 'rejected-edits',
    schema: RejectedEditSchema,
    keyOf: rejectedKey,
    most: mostEdits,
    isOfVersion2: ({ notShownOn }) => notShownOn !== undefined,
    stored: (edit) => {
      const hidden = store.hide?.(edit);
      return hidden === undefined || Object.keys(hidden.secrets).length === 0 ? edit : hidden.value;
    },
  });
  return {
    ...list,
    add: async (edits, signal) => list.add(edits.map(keepingWord(await list.all())), signal),
  };
}

/** What a person rejected, or what harmed, stays so: that it is only not shown to help says less. */
function keepingWord(before: readonly RejectedEdit[]): (edit: RejectedEdit) => RejectedEdit {
  const firm = new Set(before.filter(({ notShownOn }) => notShownOn === undefined).map(rejectedKey));
  return ({ notShownOn, ...edit }) =>
    notShownOn === undefined || firm.has(rejectedKey(edit)) ? edit : { ...edit, notShownOn };
}

/** Which edit it is, whatever the reason was. */
export function rejectedKey({ reason: _reason, notShownOn: _on, ...edit }: RejectedEdit): string {
  return canonicalJson(edit);
}
