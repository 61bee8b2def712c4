import { rm } from 'node:fs/promises';
import path from 'node:path';
import { aProposedEdit } from '../../builders/aReviewProposal.js';
import type { StagedSkill } from '../../builders/stageProposal.js';
import { closeAll, reviewOf } from './reviewWindow.js';
import { ScriptedReviewer, seeded } from './scriptedReviewer.js';

const actionsEach = process.env['WHETSTONE_FULL'] === '1' ? 6 : 2;
const together = 10; // a run that says nothing for minutes is taken for dead
const [first, last] = seeds();

describe('a reviewer without a plan', () => {
  for (let from = first; from <= last; from += together) {
    const to = Math.min(last, from + together - 1);
    it(`finds everything right after each of ${actionsEach} actions, in the sequences ${from} to ${to}`, async function () {
      this.timeout((to - from + 1) * 30_000);
      for (let seed = from; seed <= to; seed += 1) await review(seed);
    });
  }
});

/** `WHETSTONE_SEEDS=137` or `101-150` goes through those again. */
function seeds(): readonly [number, number] {
  const [from, to = from] = (process.env['WHETSTONE_SEEDS'] ?? '').split('-').map(Number);
  if (from !== undefined && to !== undefined && from > 0) return [from, to];
  return [1, process.env['WHETSTONE_FULL'] === '1' ? 300 : 1]; // a review that goes through a reload is among those in a window
}

async function review(seed: number): Promise<void> {
  const window = await reviewOf(aSkill(seed));
  const reviewer = new ScriptedReviewer(window, seeded(seed));
  try {
    for (let action = 0; action < actionsEach; action += 1) await reviewer.act();
    await reviewer.finish();
  } catch (error) {
    throw new Error(`sequence ${seed}: ${reviewer.story}`, { cause: error });
  } finally {
    await closeAll();
    await rm(path.dirname(window.skillPath), { recursive: true }); // or the window would show more skills each time
  }
}

/** A name for each try: in the second VS Code would undo what was done to a file of the same name in the first. */
let made = 0;

/** Six rules and an edit for each of them; every fourth skill has Windows line breaks, every fifth no final one. */
function aSkill(seed: number): StagedSkill {
  const rules = Array.from({ length: 6 }, (_, index) => `Rule ${index + 1} is as it was.\n`);
  const text = `---\nname: dates\n---\n\n# Rules\n\n${rules.join('\n')}`;
  const shaped = seed % 5 === 0 ? text.trimEnd() : text;
  return {
    name: `random-${seed}-${(made += 1)}`,
    text: seed % 4 === 0 ? shaped.replaceAll('\n', '\r\n') : shaped,
    edits: rules.map((rule, index) => {
      const [anchor, rationale] = [rule.trimEnd(), `Reason ${index + 1}.`];
      const content = `Rule ${index + 1} is better.`;
      const edit =
        index % 3 === 0
          ? ({ op: 'replace', anchor, content, rationale } as const)
          : index % 3 === 1
            ? ({ op: 'insert_after', anchor, content, rationale } as const)
            : ({ op: 'delete', anchor, rationale } as const);
      return aProposedEdit(edit, { id: `E${index + 1}` });
    }),
  };
}
