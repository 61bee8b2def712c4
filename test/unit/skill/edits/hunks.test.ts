import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { linesWithBreaks } from '../../../../src/skill/document/lines.js';
import { applyHunks, deriveHunks, deriveHunksBetween } from '../../../../src/skill/edits/hunks.js';
import { skillText } from '../arbitrarySkills.js';

const runs = process.env['WHETSTONE_FULL'] === '1' ? 20_000 : 100;
const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a\r\n', '\r', 'd', 'é\n');
const lines = fc.array(line, { maxLength: 12 }).map((parts) => parts.join(''));
const pair = fc.oneof(fc.tuple(lines, lines), fc.tuple(skillText, skillText));

describe('hunks', () => {
  it('shows what changed, in whole lines of both texts', () => {
    assert.deepEqual(deriveHunks('a\nb\nc\nd\n', 'a\nB\nc\nd\ne\n'), [
      { before: { start: 1, end: 2 }, after: { start: 1, end: 2 }, beforeText: 'b\n', afterText: 'B\n' },
      { before: { start: 4, end: 4 }, after: { start: 4, end: 5 }, beforeText: '', afterText: 'e\n' },
    ]);
  });

  it('sees a changed line break as a change', () => {
    assert.deepEqual(
      deriveHunks('a\r\nb', 'a\nb\n').map(({ beforeText, afterText }) => [beforeText, afterText]),
      [['a\r\nb', 'a\nb\n']],
    );
  });

  it('gives the candidate for all hunks, and the original for none', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const hunks = deriveHunks(before, after);
        assert.equal(applyHunks(before, hunks), after);
        assert.equal(applyHunks(before, []), before);
      }),
      { numRuns: runs },
    );
  });

  it('gives the candidate, with ranges that fit, also where only what lies between is looked at', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const hunks = deriveHunksBetween(before, after);
        assert.equal(applyHunks(before, hunks), after);
        const found = linesWithBreaks(after);
        for (const hunk of hunks)
          assert.equal(found.slice(hunk.after.start, hunk.after.end).join(''), hunk.afterText, JSON.stringify(hunk));
      }),
      { numRuns: runs },
    );
    const long = Array.from({ length: 400 }, (_, at) => `Line ${at} of a long text.\n`);
    const changed = long.with(200, 'Another one.\n').toSpliced(200, 0, 'A new one.\n');
    assert.deepEqual(deriveHunksBetween(long.join(''), changed.join('')), deriveHunks(long.join(''), changed.join('')));
    assert.deepEqual(deriveHunksBetween('a\nb\n', 'axb\n'), deriveHunks('a\nb\n', 'axb\n'));
  });

  it('gives the same for any subset in any order', () => {
    const chosen = pair.chain(([before, after]) => {
      const hunks = deriveHunks(before, after);
      return fc.tuple(fc.constant(before), fc.subarray([...hunks]), fc.integer());
    });
    fc.assert(
      fc.property(chosen, ([before, subset, seed]) => {
        const shuffled = subset.toSorted(
          (a, b) => ((a.before.start * 7 + seed) % 5) - ((b.before.start * 7 + seed) % 5),
        );
        assert.equal(applyHunks(before, shuffled), applyHunks(before, subset));
      }),
      { numRuns: runs },
    );
  });

  it('comes to the candidate when the hunks are taken in two goes', () => {
    const twoGoes = pair.chain(([before, after]) => {
      const hunks = deriveHunks(before, after);
      return fc.tuple(fc.constant(before), fc.constant(after), fc.subarray([...hunks]));
    });
    fc.assert(
      fc.property(twoGoes, ([before, after, first]) => {
        const middle = applyHunks(before, first);
        assert.equal(applyHunks(middle, deriveHunks(middle, after)), after);
      }),
      { numRuns: runs },
    );
  });

  it('leaves a common line between any two hunks, and has texts that fit the ranges', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const hunks = deriveHunks(before, after);
        for (const [index, hunk] of hunks.entries()) {
          const next = hunks[index + 1];
          if (next !== undefined) {
            assert.ok(hunk.before.end < next.before.start);
            assert.ok(hunk.after.end < next.after.start);
          }
          assert.notEqual(hunk.beforeText, hunk.afterText);
        }
      }),
      { numRuns: runs },
    );
  });

  for (const [name, text] of [
    ['another text', 'a\nx\n'],
    ['a shorter text', 'a\n'],
  ] as const) {
    it(`refuses ${name} than the hunks were made from`, () => {
      assert.throws(() => applyHunks(text, deriveHunks('a\nb\n', 'a\nc\n')), { code: 'skill-changed' });
    });
  }

  it('refuses the same hunk twice', () => {
    const hunks = deriveHunks('a\nb\n', 'a\nc\n');
    assert.throws(() => applyHunks('a\nb\n', [...hunks, ...hunks]), { code: 'skill-changed' });
  });

  it('gives up on a minimal diff of long texts without a common line', () => {
    const started = performance.now();
    const hunks = deriveHunks(`same\n${manyLines('old')}end\n`, `same\n${manyLines('new')}end\n`);
    assert.deepEqual(
      hunks.map(({ before }) => before),
      [{ start: 1, end: 20_001 }],
    );
    assert.ok(performance.now() - started < 10_000);
  });
});

function manyLines(word: string): string {
  return Array.from({ length: 20_000 }, (_, index) => `${word} ${index}\n`).join('');
}
