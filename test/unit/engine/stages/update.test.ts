import assert from 'node:assert/strict';
import { originalCandidate } from '../../../../src/engine/candidate.js';
import { withEdits } from '../../../../src/engine/stages/update.js';
import type { PatchEdit } from '../../../../src/engine/patch.js';
import { aPatchEdit } from '../../../builders/aPatch.js';
import { aRunContext } from '../../../builders/aRunContext.js';
import { calm } from '../../../builders/storage.js';

const { context } = aRunContext({ settings: { edits: { growth: 3 } } });

describe('the size that edits may give a skill', () => {
  const rows: readonly (readonly [name: string, lines: number, taken: number])[] = [
    ['a few lines more where it is long', 700, 3],
    ['a few lines more where it is as long as advised', 500, 3],
    ['a few lines more where it is almost as long', 498, 3],
    ['what is advised where it is short', 490, 10],
  ];
  for (const [name, lines, taken] of rows) {
    it(`is ${name}, over all steps together`, async () => {
      const original = originalCandidate('- line\n'.repeat(lines));
      const edits = Array.from({ length: 12 }, (_, index) => anAppend(`- rule ${index}`));
      let end = original;
      for (const edit of edits) end = (await withEdits(context, end, [edit], calm)).candidate;
      assert.equal(end.edits.length, taken);
      const { candidate: again } = await withEdits(context, original, end.edits, calm);
      assert.equal(again.text, end.text, 'all of them in one go, as attribution tries them');
    });
  }
});

function anAppend(content: string): PatchEdit {
  return aPatchEdit({ op: 'append', content, rationale: '' });
}
