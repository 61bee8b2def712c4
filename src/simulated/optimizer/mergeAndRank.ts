import { instructionsIn } from '../reading/readInstructions.js';
import { promptBlocks } from '../reading/promptBlocks.js';
import { contradicts } from '../instruction.js';
import { listed } from './listed.js';
import { malformedChoice, orderedEdits } from './misbehaviour.js';
import type { OptimizerHabits } from './reflect.js';
import { budgetIn } from './reflectionPrompt.js';
import * as z from 'zod';

/** Merges the lists of a prompt: equal edits once with their support added up; of two that contradict, the stronger. */
export function merge(prompt: string, habits: OptimizerHabits): string {
  if (habits.chance.fraction('reply') < habits.shares.malformed) return malformedChoice(habits.chance);
  const joined = joinEqual(listed(prompt, ListedEdit));
  const strongest = [...joined].sort((a, b) => b.support_count - a.support_count);
  const kept = strongest.filter((edit, at) => !strongest.slice(0, at).some((other) => clash(other, edit)));
  const edits = joined.filter((edit) => kept.includes(edit));
  const ordered = habits.obedient ? orderedEdits(prompt).map((edit) => ({ ...edit, support_count: 1 })) : [];
  return JSON.stringify(
    { reasoning: `${edits.length} edits are left of all lists.`, edits: [...ordered, ...edits] },
    null,
    2,
  );
}

function joinEqual(edits: readonly ListedEdit[]): readonly ListedEdit[] {
  const byKey = new Map<string, ListedEdit>();
  for (const edit of edits) {
    const key = JSON.stringify([edit.op, edit.file ?? '', edit.anchor ?? '', edit.content.trim().toLowerCase()]);
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
function placeOf({ op, file = '', anchor }: ListedEdit): string | undefined {
  return op === 'insert_after' || op === 'append' || anchor === undefined ? undefined : `${file}\n${anchor}`;
}

/** Ranks the edits of a prompt: what an agent can act on first, then by support, then in the order given. */
export function rank(prompt: string, habits: OptimizerHabits): string {
  if (habits.chance.fraction('reply') < habits.shares.malformed) return malformedChoice(habits.chance);
  const { outside } = promptBlocks(prompt);
  const rows = listed(prompt, z.union([ListedEdit, ListedSuggestion])).map((each, at) => ({
    index: each.index ?? at,
    clear: isClear(each) ? 1 : 0,
    support: each.support_count,
  }));
  const best = [...rows].sort((a, b) => b.clear - a.clear || b.support - a.support || a.index - b.index);
  const selected = best.slice(0, budgetIn(outside)).map(({ index }) => index);
  return JSON.stringify({
    reasoning: 'Ranked by how clearly they can be followed, then by support.',
    selected_indices: selected,
  });
}

/** How many edits of a prompt to take: those that an agent can act on. */
export function count(prompt: string, habits: OptimizerHabits): string {
  if (habits.chance.fraction('reply') < habits.shares.malformed) return malformedChoice(habits.chance);
  const clear = listed(prompt, z.union([ListedEdit, ListedSuggestion])).filter(isClear);
  return JSON.stringify({ reasoning: 'So many can be followed.', edit_count: clear.length });
}

function isClear({ op, content }: { readonly op: string; readonly content: string }): boolean {
  return op === 'delete' || instructionsIn(content).length > 0;
}

const ListedEdit = z.looseObject({
  op: z.string(),
  file: z.string().optional(),
  anchor: z.string().optional(),
  content: z.string().default(''),
  rationale: z.string().default(''),
  tasks: z.array(z.string()).default([]),
  support_count: z.number().default(1),
  index: z.number().optional(),
});

const ListedSuggestion = z
  .looseObject({ instruction: z.string(), support_count: z.number().default(1), index: z.number().optional() })
  .transform((each) => ({ ...each, op: '', content: each.instruction }));

/** An edit that a prompt lists as JSON. */
type ListedEdit = z.infer<typeof ListedEdit>;
