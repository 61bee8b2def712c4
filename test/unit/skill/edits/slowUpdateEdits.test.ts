import assert from 'node:assert/strict';
import { applyEdits, type ApplyLimits } from '../../../../src/skill/edits/applyEdits.js';
import type { Edit } from '../../../../src/skill/edits/edit.js';
import { ownBlockText } from '../../../../src/skill/edits/planOwnBlock.js';
import { parseSkill } from '../../../../src/skill/document/skillDocument.js';

const block = (guidance: string): string => `<!-- SLOW_UPDATE_START -->\n${guidance}\n<!-- SLOW_UPDATE_END -->`;
const guide = (content: string): Edit => ({ op: 'slow_update', content, rationale: 'Old rules were forgotten.' });

describe('the slow-update block', () => {
  it('is made at the end of the document, and filled anew where it stands', () => {
    const made = applied('# Notes\n\nBe brief.\n', guide('Keep dates ISO.'));
    assert.equal(made.text, `# Notes\n\nBe brief.\n\n${block('Keep dates ISO.')}\n`);
    assert.equal(ownBlockText(made, 'slow-update'), 'Keep dates ISO.');
    const moved = applied(`A.\n\n${block('Old.')}\n\nB.\n`, guide('New.\nAnd more.'));
    assert.equal(moved.text, `A.\n\n${block('New.\nAnd more.')}\n\nB.\n`);
  });

  it('keeps the line breaks of the document', () => {
    assert.equal(
      applied('A.\r\n', guide('B.\nC.')).text,
      'A.\r\n\r\n<!-- SLOW_UPDATE_START -->\r\nB.\r\nC.\r\n<!-- SLOW_UPDATE_END -->\r\n',
    );
  });

  it('stays out of reach of every other edit', () => {
    const replace: Edit = { op: 'replace', anchor: 'Keep dates ISO.', content: 'Any dates.', rationale: '' };
    const text = `A.\n\n${block('Keep dates ISO.')}\n`;
    assert.equal(outcome(text, replace), 'protected-region');
    assert.equal(outcome(text, { op: 'delete', anchor: 'Keep dates ISO.', rationale: '' }), 'protected-region');
  });

  const kept = `<!-- whetstone:keep -->\n${block('Mine.')}\n<!-- /whetstone:keep -->\n`;
  const refusals: readonly (readonly [name: string, text: string, content: string, reason: string])[] = [
    ['carries a marker', 'A.\n', 'x\n<!-- SLOW_UPDATE_END -->', 'marker'],
    ['leaves a code fence open', 'A.\n', 'x\n```sh\nrm', 'code-fence'],
    ['lies in a part that the person keeps', kept, 'Yours.', 'kept-region'],
    ['lacks a marker', 'A.\n\n<!-- SLOW_UPDATE_START -->\nB.\n', 'C.', 'protected-region'],
    ['says nothing', 'A.\n', '  ', 'empty'],
    ['says what it says already', `A.\n\n${block('B.')}\n`, 'B.', 'no-change'],
  ];
  for (const [name, text, content, reason] of refusals) {
    it(`is left alone by guidance that ${name}`, () => {
      assert.equal(outcome(text, guide(content)), reason);
    });
  }

  it('is outside what edits of the learned block may change', () => {
    assert.equal(outcome('A.\n', guide('B.'), { scope: 'learned' }), 'outside-scope');
  });

  it('is written once more by a later edit, with nothing left of the first', () => {
    const document = parseSkill('A.\n');
    const both = applyEdits(document, [guide('One.'), guide('Two.')], { scope: 'body' });
    assert.equal(both.document.text, applyEdits(document, [guide('Two.')], { scope: 'body' }).document.text);
  });
});

function applied(text: string, edit: Edit): ReturnType<typeof parseSkill> {
  const { document, report } = applyEdits(parseSkill(text), [edit], { scope: 'body' });
  assert.deepEqual(report[0]?.outcome, { kind: 'applied' });
  return document;
}

function outcome(text: string, edit: Edit, limits: ApplyLimits = { scope: 'body' }): string {
  const found = applyEdits(parseSkill(text), [edit], limits).report[0]?.outcome;
  return found !== undefined && 'reason' in found ? found.reason : 'applied';
}
