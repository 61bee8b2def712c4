import assert from 'node:assert/strict';
import { originalCandidate } from '../../../../src/engine/candidate.js';
import { update, withEdits } from '../../../../src/engine/stages/update.js';
import type { PatchEdit } from '../../../../src/engine/patch.js';
import { aPatchEdit } from '../../../builders/aPatch.js';
import { aRunContext } from '../../../builders/aRunContext.js';
import { neverAborted } from '../../../builders/storage.js';

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
      for (const edit of edits) end = (await withEdits(context, end, [edit], neverAborted)).candidate;
      assert.equal(end.edits.length, taken);
      const { candidate: again } = await withEdits(context, original, end.edits, neverAborted);
      assert.equal(again.text, end.text, 'all of them in one go, as attribution tries them');
    });
  }
});

describe('an edit whose anchor the optimizer did not write as the skill has it', () => {
  const text = '# Tone\n\n- Be brief.\n- Say what happens.\n';
  const rough = aPatchEdit({
    op: 'replace',
    anchor: 'Be brief. - Say what happens.',
    content: '- Be kind.',
    rationale: '',
  });

  it('is kept with the text of the skill, so that it means the same ever after, and is told', async () => {
    const { context: run, events } = aRunContext();
    const from = originalCandidate(text);
    const at = { step: 3, budget: 4, skill: text, about: '' };
    const { candidate, report } = await update(run, [rough], { ...at, from }, neverAborted);
    assert.equal(candidate.text, '# Tone\n\n- Be kind.\n');
    const edits = candidate.edits.map(({ edit }) => ('anchor' in edit ? edit.anchor : ''));
    assert.deepEqual(edits, ['Be brief.\n- Say what happens.']);
    assert.equal((await withEdits(run, from, candidate.edits, neverAborted)).candidate.text, candidate.text);
    assert.equal(report[0]?.outcome.kind, 'applied');
    const [note = ''] = events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
    assert.match(note, /^Edits of step 3 that were matched after white space, list marks and line breaks.*: 1\./);
  });

  it('finds no place once it is stored', async () => {
    const { report } = await withEdits(context, originalCandidate(text), [rough], neverAborted);
    assert.equal(report[0]?.outcome.kind, 'unmatched');
  });
});

function anAppend(content: string): PatchEdit {
  return aPatchEdit({ op: 'append', content, rationale: '' });
}
