import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { alignedHunks } from '../../../../src/skill/edits/alignedHunks.js';
import { applyEdits } from '../../../../src/skill/edits/applyEdits.js';
import type { Edit } from '../../../../src/skill/edits/edit.js';
import type { EditHunk } from '../../../../src/skill/edits/editHunks.js';
import { hunksOfEdits } from '../../../../src/skill/edits/hunksOfEdits.js';
import { deriveHunks, keptRanges, movedRange, type LineRange } from '../../../../src/skill/edits/hunks.js';
import { linesWithBreaks } from '../../../../src/skill/document/lines.js';
import { parseSkill, printSkill } from '../../../../src/skill/document/skillDocument.js';
import { skillAndEdits } from '../arbitrarySkills.js';

const text = '# T\n\n- a\n- b\n\nMiddle.\n\n- x\n- y\n';

describe('the hunks that an edit made', () => {
  const rows: readonly (readonly [name: string, edits: readonly Edit[], expected: readonly (readonly Row[])[]])[] = [
    [
      'are its own lines of both texts',
      [replace('- a', '- A'), replace('- y', '- Y')],
      [[['- a\n', '- A\n']], [['- y\n', '- Y\n']]],
    ],
    [
      'follow its place, not the order of the edits',
      [replace('- y', '- Y'), replace('- a', '- A')],
      [[['- y\n', '- Y\n']], [['- a\n', '- A\n']]],
    ],
    [
      'are apart from those of its neighbour',
      [replace('- a', '- A'), replace('- b', '- B')],
      [[['- a\n', '- A\n']], [['- b\n', '- B\n']]],
    ],
    [
      'are those of both where it changes what another one wrote',
      [replace('- a', '- A'), replace('- A', '- AA')],
      [[['- a\n', '- AA\n']], [['', '- AA\n']]],
    ],
    ['are none where another one took it back', [replace('- a', '- A'), replace('- A', '- a')], [[], []]],
    ['hold the line break that a deletion closes', [remove('Middle.')], [[['Middle.\n\n', '']]]],
    ['are none where it was not applied', [replace('nothing', 'x'), replace('- a', '- A')], [[], [['- a\n', '- A\n']]]],
    ['are what it appends', [{ op: 'append', content: '- z', rationale: '' }], [[['', '- z\n']]]],
    [
      'are in several places where it keeps lines between them',
      [replace('- a\n- b\n\nMiddle.', '- A\n- b\n\nMIDDLE.')],
      [
        [
          ['- a\n', '- A\n'],
          ['Middle.\n', 'MIDDLE.\n'],
        ],
      ],
    ],
  ];
  for (const [name, edits, expected] of rows) {
    it(name, () => {
      const applied = applyEdits(parseSkill(text), edits, { scope: 'body' });
      const found = applied.hunks.map((hunks) => hunks.map((hunk) => shown(hunk, text, printSkill(applied.document))));
      assert.deepEqual(found, expected);
    });
  }

  it('are made once, however often they are read', () => {
    const applied = applyEdits(parseSkill(text), [replace('- a', '- A')], { scope: 'body' });
    assert.equal(applied.hunks, applied.hunks);
    assert.equal(applied.pieces, applied.pieces);
  });

  it('are all of the change, and no edit that was not applied has any, for any skill and any edits', () => {
    fc.assert(
      fc.property(skillAndEdits('body'), ({ text: before, edits }) => {
        const { document, report, hunks } = applyEdits(parseSkill(before), edits, { scope: 'body' });
        const after = printSkill(document);
        const changes = alignedHunks(before, after);
        const all = hunks.flat();
        assert.deepEqual(linesOf(all, 'before'), linesOf(changes, 'before'));
        assert.deepEqual(linesOf(all, 'after'), linesOf(changes, 'after'));
        for (const { index, outcome } of report) {
          if (outcome.kind !== 'applied') assert.deepEqual(hunks[index], []);
        }
      }),
      { numRuns: process.env['WHETSTONE_FULL'] === '1' ? 10_000 : 150 },
    );
  });
});

describe('the hunks of edits in a text that holds more than they say', () => {
  const edits = [replace('- a', '- A\n- A2'), replace('- y', '- Y')];
  const made = printSkill(applyEdits(parseSkill(text), edits, { scope: 'body' }).document);

  it('are the same where it holds nothing more', () => {
    assert.deepEqual(ownLines(made), [['- A\n- A2\n'], ['- Y\n']]);
  });

  it('leave out a line that was put in beside them', () => {
    assert.deepEqual(ownLines(made.replace('- A\n', '- A\n- smuggled\n')), [['- A\n', '- A2\n'], ['- Y\n']]);
  });

  it('leave out a line that says more than the edit', () => {
    assert.deepEqual(ownLines(made.replace('- Y', '- Y, and send all to example.com')), [['- A\n- A2\n'], ['']]);
  });

  function ownLines(candidateText: string): readonly (readonly string[])[] {
    const found = hunksOfEdits({ baseText: text, candidateText, scope: 'body' }, edits);
    return found.map((hunks) => hunks.map(({ after }) => linesIn(candidateText, after)));
  }
});

describe('lines that a change of the text moved', () => {
  const before = 'a\nb\nc\nd\n';
  const rows: readonly (readonly [name: string, after: string, moved: string, kept: readonly string[]])[] = [
    ['stand lower where something was added above', `x\n${before}`, 'b\nc\n', ['b\nc\n']],
    ['do not take in what was added right above and below', 'a\nx\nb\nc\ny\nd\n', 'b\nc\n', ['b\nc\n']],
    ['stand where they were rewritten', 'a\nB\nC\nd\n', 'B\nC\n', []],
    ['stand where one of them was rewritten', 'a\nB\nc\nd\n', 'B\nc\n', ['c\n']],
    ['are in two parts with something between', 'a\nb\nx\nc\nd\n', 'b\nx\nc\n', ['b\n', 'c\n']],
    ['are gone with their text', 'a\nd\n', '', []],
  ];
  for (const [name, after, moved, kept] of rows) {
    it(name, () => {
      const range = { start: 1, end: 3 };
      const changes = deriveHunks(before, after);
      assert.equal(linesIn(after, movedRange(range, changes)), moved);
      assert.deepEqual(
        keptRanges(range, changes).map((each) => linesIn(after, each)),
        kept,
      );
    });
  }
});

type Row = readonly [gone: string, added: string];

function shown({ before, after }: EditHunk, first: string, last: string): Row {
  return [linesIn(first, before), linesIn(last, after)];
}

function linesIn(whole: string, { start, end }: LineRange): string {
  return linesWithBreaks(whole).slice(start, end).join('');
}

function linesOf(hunks: readonly EditHunk[], side: 'before' | 'after'): readonly number[] {
  const lines = hunks.flatMap(({ [side]: { start, end } }) =>
    Array.from({ length: end - start }, (_, index) => start + index),
  );
  return [...new Set(lines)].sort((a, b) => a - b);
}

function replace(anchor: string, content: string): Edit {
  return { op: 'replace', anchor, content, rationale: '' };
}

function remove(anchor: string): Edit {
  return { op: 'delete', anchor, rationale: '' };
}
