import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applyEdits } from '../../../src/skill/edits/applyEdits.js';
import type { Edit } from '../../../src/skill/edits/edit.js';
import { applyHunks } from '../../../src/skill/edits/hunks.js';
import { hunksOfEdits } from '../../builders/hunksOfEdits.js';
import { parseSkill, printSkill } from '../../../src/skill/document/skillDocument.js';
import { skillAndEdits } from './arbitrarySkills.js';

describe('hunksOfEdits', () => {
  const text = '# T\n\n- a\n- b\n\nMiddle.\n\n- x\n- y\n';
  const rows: readonly (readonly [name: string, edits: readonly Edit[], expected: readonly Row[]])[] = [
    [
      'gives each edit its hunk',
      [replace('- a', '- A'), replace('- y', '- Y')],
      [
        ['- A\n', [0]],
        ['- Y\n', [1]],
      ],
    ],
    [
      'follows the place, not the order of the edits',
      [replace('- y', '- Y'), replace('- a', '- A')],
      [
        ['- A\n', [1]],
        ['- Y\n', [0]],
      ],
    ],
    ['gives neighbours one hunk', [replace('- a', '- A'), replace('- b', '- B')], [['- A\n- B\n', [0, 1]]]],
    ['gives an edit of an edit both', [replace('- a', '- A'), replace('- A', '- AA')], [['- AA\n', [0, 1]]]],
    [
      'gives an edit of an appended line both',
      [{ op: 'append', content: '- z', rationale: '' }, replace('- z', '- zz')],
      [['- zz\n', [0, 1]]],
    ],
    ['gives an edit that was undone none', [replace('- a', '- A'), replace('- A', '- a')], []],
    ['shows a deletion', [{ op: 'delete', anchor: 'Middle.', rationale: '' }], [['', [0]]]],
    ['leaves out what was not applied', [replace('nothing', 'x'), replace('- a', '- A')], [['- A\n', [1]]]],
    ['shows an appended item', [{ op: 'append', content: '- z', rationale: '' }], [['- z\n', [0]]]],
  ];
  for (const [name, edits, expected] of rows) {
    it(name, () => {
      const hunks = hunksOfEdits(parseSkill(text), edits, { scope: 'body' });
      assert.deepEqual(
        hunks.map(({ hunk, edits: makers }) => [hunk.afterText, makers]),
        expected,
      );
    });
  }

  it('lets a text that is longer than the budget shrink and grow again', () => {
    const long = `${Array.from({ length: 502 }, (_, line) => `line ${line}.`).join('\n')}\n`;
    const edits: readonly Edit[] = [
      { op: 'delete', anchor: 'line 7.\nline 8.', rationale: '' },
      replace('line 400.', 'line 400a.\nline 400b.'),
    ];
    const hunks = hunksOfEdits(parseSkill(long), edits, { scope: 'body' });
    assert.deepEqual(
      hunks.map((each) => each.edits),
      [[0], [1]],
    );
  });

  it('leads to what applyEdits makes, and knows a maker for every hunk, for any skill and any edits', () => {
    fc.assert(
      fc.property(skillAndEdits('body'), ({ text: before, edits }) => {
        const document = parseSkill(before);
        const applied = applyEdits(document, edits, { scope: 'body' });
        const hunks = hunksOfEdits(document, edits, { scope: 'body' });
        const made = applyHunks(
          before,
          hunks.map(({ hunk }) => hunk),
        );
        assert.equal(made, printSkill(applied.document));
        const lawful = applied.report.filter(({ outcome }) => outcome.kind === 'applied').map(({ index }) => index);
        for (const { edits: makers } of hunks) {
          assert.ok(makers.length > 0);
          assert.ok(makers.every((maker) => lawful.includes(maker)));
        }
      }),
      { numRuns: process.env['WHETSTONE_FULL'] === '1' ? 10_000 : 150 },
    );
  });
});

type Row = readonly [afterText: string, edits: readonly number[]];

function replace(anchor: string, content: string): Edit {
  return { op: 'replace', anchor, content, rationale: '' };
}
