import assert from 'node:assert/strict';
import { notesIn, withMoreNotes, withOtherNotes } from '../../../../src/skill/document/appendixNotes.js';
import { parseSkill } from '../../../../src/skill/document/skillDocument.js';
import { applyEdits, type ApplyLimits } from '../../../../src/skill/edits/applyEdits.js';
import type { Edit } from '../../../../src/skill/edits/edit.js';
import { ownBlockText } from '../../../../src/skill/edits/planOwnBlock.js';

const block = (text: string): string => `<!-- APPENDIX_START -->\n${text}\n<!-- APPENDIX_END -->`;
const remind = (content: string): Edit => ({ op: 'appendix', content, rationale: 'Attempts did not follow it.' });
const guide: Edit = { op: 'slow_update', content: 'Keep dates ISO.', rationale: '' };

describe('the appendix block', () => {
  it('is made at the end of the document, and filled anew where it stands', () => {
    const made = applied('# Notes\n\nBe brief.\n', remind('- Be brief, always.'));
    assert.equal(made.text, `# Notes\n\nBe brief.\n\n${block('- Be brief, always.')}\n`);
    assert.equal(ownBlockText(made, 'appendix'), '- Be brief, always.');
    assert.equal(applied(`A.\n\n${block('- B.')}\n\nC.\n`, remind('- D.')).text, `A.\n\n${block('- D.')}\n\nC.\n`);
  });

  it('and the slow-update block leave each other alone', () => {
    const guided = applied(`A.\n\n${block('- B.')}\n`, guide).text;
    const both = applied(guided, remind('- C.'));
    assert.equal(both.text, guided.replace('- B.', '- C.'));
    assert.equal(ownBlockText(both, 'slow-update'), 'Keep dates ISO.');
  });

  const text = `A.\n\n${block('- Be brief, always.')}\n`;
  const refusals: readonly (readonly [name: string, text: string, edit: Edit, reason: string, limits?: ApplyLimits])[] =
    [
      [
        'an edit that replaces',
        text,
        { op: 'replace', anchor: 'Be brief, always', content: 'x', rationale: '' },
        'protected-region',
      ],
      [
        'an edit that deletes',
        text,
        { op: 'delete', anchor: '- Be brief, always.', rationale: '' },
        'protected-region',
      ],
      ['reminders with a marker', text, remind('- x\n<!-- APPENDIX_END -->'), 'marker'],
      [
        'reminders where a marker is missing',
        'A.\n\n<!-- APPENDIX_START -->\n- B.\n',
        remind('- C.'),
        'protected-region',
      ],
      ['reminders that it holds already', text, remind('- Be brief, always.'), 'no-change'],
      ['reminders beside a learned block', text, remind('- C.'), 'outside-scope', { scope: 'learned' }],
    ];
  for (const [name, before, edit, reason, limits] of refusals) {
    it(`is not changed by ${name}`, () => {
      const outcome = applyEdits(parseSkill(before), [edit], limits ?? { scope: 'body' }).report[0]?.outcome;
      assert.equal(outcome !== undefined && 'reason' in outcome ? outcome.reason : 'applied', reason);
    });
  }
});

describe('the reminders of an appendix', () => {
  it('begin a list under a heading, and go on with one that is there', () => {
    assert.equal(withMoreNotes('', ['One.', 'Two.']), '## Execution Notes Appendix\n\n- One.\n- Two.');
    assert.equal(withMoreNotes('## Mine\n\n- One.', ['Two.']), '## Mine\n\n- One.\n- Two.');
    assert.equal(withMoreNotes('A sentence of mine.', ['One.']), 'A sentence of mine.\n\n- One.');
  });

  it('are read item by item, whatever stands between them', () => {
    assert.deepEqual(notesIn('## Mine\r\n\r\n* One\r\n  and more.\r\n* Two.\r\n\r\nA word.\r\n\r\n- Three.'), [
      'One and more.',
      'Two.',
      'Three.',
    ]);
  });

  it('give way to others without what a person wrote beside them', () => {
    const before = '## Mine\n\nA sentence of mine.\n\n- One.\n- Two.\n\nAnother.';
    assert.equal(withOtherNotes(before, ['All.']), '## Mine\n\nA sentence of mine.\n\nAnother.\n\n- All.');
    assert.equal(withOtherNotes('- One.', ['All.']), '## Execution Notes Appendix\n\n- All.');
  });
});

function applied(text: string, edit: Edit): ReturnType<typeof parseSkill> {
  const { document, report } = applyEdits(parseSkill(text), [edit], { scope: 'body' });
  assert.deepEqual(report[0]?.outcome, { kind: 'applied' });
  return document;
}
