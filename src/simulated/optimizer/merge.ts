import { instructionsIn } from '../reading/readInstructions.js';
import { promptBlocks } from '../reading/promptBlocks.js';
import { contradicts } from '../resolve.js';
import { listedEdits, type ListedEdit } from './listedEdits.js';
import { malformedChoice } from './misbehaviour.js';
import { orderedEdits } from './obedience.js';
import type { OptimizerMood } from './reflect.js';

/** Merges the lists of a prompt: equal edits once with their support added up; of two that contradict, the stronger. */
export function merge(prompt: string, mood: OptimizerMood): string {
  if (mood.chance.fraction('reply') < mood.shares.malformed) return malformedChoice(mood.chance);
  const { blocks } = promptBlocks(prompt);
  const joined = joinEqual(listedEdits(blocks.map(({ text }) => text)));
  const strongest = [...joined].sort((a, b) => b.support_count - a.support_count);
  const kept = strongest.filter((edit, at) => !strongest.slice(0, at).some((other) => clash(other, edit)));
  const edits = joined.filter((edit) => kept.includes(edit));
  const ordered = mood.obedient ? orderedEdits(prompt).map((edit) => ({ ...edit, support_count: 1 })) : [];
  return JSON.stringify(
    { reasoning: `${edits.length} edits are left of all lists.`, edits: [...ordered, ...edits] },
    null,
    2,
  );
}

function joinEqual(edits: readonly ListedEdit[]): readonly ListedEdit[] {
  const byKey = new Map<string, ListedEdit>();
  for (const edit of edits) {
    const key = JSON.stringify([edit.op, edit.anchor ?? '', edit.content.trim().toLowerCase()]);
    const known = byKey.get(key);
    const tasks = [...new Set([...(known?.tasks ?? []), ...edit.tasks])];
    byKey.set(key, { ...edit, tasks, support_count: (known?.support_count ?? 0) + edit.support_count });
  }
  return [...byKey.values()];
}

/** The same place, the same sense in other words, or the contrary. */
function clash(one: ListedEdit, other: ListedEdit): boolean {
  if (placeOf(one) !== undefined && placeOf(one) === placeOf(other)) return true;
  const said = instructionsIn(one.content);
  return instructionsIn(other.content).some((next) =>
    said.some((known) => contradicts(known, next) || (known.slot === next.slot && known.sentence === next.sentence)),
  );
}

/** What an edit takes away; edits that only add can share a place. */
function placeOf({ op, anchor }: ListedEdit): string | undefined {
  return op === 'insert_after' || op === 'append' ? undefined : anchor;
}
