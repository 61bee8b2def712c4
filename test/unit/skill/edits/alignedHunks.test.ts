import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { alignedHunks } from '../../../../src/skill/edits/alignedHunks.js';
import { applyHunks } from '../../../../src/skill/edits/hunks.js';

describe('the changes between two texts', () => {
  const cases = [
    {
      name: 'do not exchange paragraphs that only moved apart',
      before: 'a\n\ngap\n\nend\n',
      after: 'a\n\nnew\n\ngap\n',
      changes: ['+new\n\n', '-\nend\n'],
    },
    {
      name: 'begin with words rather than with the blank line above them',
      before: 'a\n\nb\n',
      after: 'a\n\nx\n\nb\n',
      changes: ['+x\n\n'],
    },
    {
      name: 'keep a moved line where it was',
      before: 'a\nb\nc\nd\n',
      after: 'd\na\nb\nc\n',
      changes: ['+d\n', '-d\n'],
    },
    { name: 'are none between equal texts', before: 'a\n', after: 'a\n', changes: [] },
    { name: 'know a missing final line break', before: 'a\nb', after: 'a\nb\n', changes: ['-b+b\n'] },
    {
      name: 'tell repeated lines apart by what stands around',
      before: '- x\n',
      after: '- x\n- x\n',
      changes: ['+- x\n'],
    },
  ] as const;
  for (const { name, before, after, changes } of cases) {
    it(name, () => {
      const shown = alignedHunks(before, after).map(
        ({ beforeText, afterText }) => `${beforeText && `-${beforeText}`}${afterText && `+${afterText}`}`,
      );
      assert.deepEqual(shown, changes);
    });
  }

  const line = fc.constantFrom('a', 'b', 'c', 'd', '', '- x');
  const text = fc.tuple(fc.array(line, { maxLength: 12 }), fc.boolean());
  const texts = text.map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''));

  it('lead from one to the other, all together and in any order', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const hunks = alignedHunks(before, after);
        assert.equal(applyHunks(before, hunks), after);
        assert.equal(applyHunks(before, hunks.toReversed()), after);
      }),
    );
  });

  it('can each be taken alone, and then the others still lead to the same text', () => {
    fc.assert(
      fc.property(texts, texts, fc.nat(), (before, after, pick) => {
        const hunks = alignedHunks(before, after);
        const [one] = hunks.slice(pick % Math.max(1, hunks.length));
        const half = one === undefined ? before : applyHunks(before, [one]);
        assert.equal(applyHunks(half, alignedHunks(half, after)), after);
      }),
    );
  });
});
