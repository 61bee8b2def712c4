import { instructionsIn } from '../reading/readInstructions.js';
import { promptBlocks } from '../reading/promptBlocks.js';
import { listedEdits } from './listedEdits.js';
import { malformedChoice } from './misbehaviour.js';
import type { OptimizerMood } from './reflect.js';
import { budgetIn } from './reflectionPrompt.js';

/** Ranks the edits of a prompt: what an agent can act on first, then by support, then in the order given. */
export function rank(prompt: string, mood: OptimizerMood): string {
  if (mood.chance.fraction('reply') < mood.shares.malformed) return malformedChoice(mood.chance);
  const { blocks, outside } = promptBlocks(prompt);
  const rows = listedEdits(blocks.map(({ text }) => text)).map((edit, at) => ({
    index: edit.index ?? at,
    clear: edit.op === 'delete' || instructionsIn(edit.content).length > 0 ? 1 : 0,
    support: edit.support_count,
  }));
  const best = [...rows].sort((a, b) => b.clear - a.clear || b.support - a.support || a.index - b.index);
  const selected = best.slice(0, budgetIn(outside)).map(({ index }) => index);
  return JSON.stringify({
    reasoning: 'Ranked by how clearly they can be followed, then by support.',
    selected_indices: selected,
  });
}
