import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { alignSteps } from '../../../../src/wording/work/alignSteps.js';
import type { StepLine } from '../../../../src/wording/work/stepLines.js';

describe('the steps of two attempts beside each other', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['what both did in one row', 'abc', 'abc', 'abc|abc'],
    ['an empty row where only one did something', 'rle', 'rslne', 'r.l.e|rslne'],
    ['what differs in the same rows', 'axb', 'ayb', 'axb|ayb'],
    ['one without any', '', 'ab', '..|ab'],
    ['nothing in common', 'ab', 'cde', 'ab.|cde'],
  ];
  for (const [what, first, second, rows] of cases)
    it(`have ${what}`, () => {
      const aligned = alignSteps(steps(first), steps(second));
      assert.equal(`${told(aligned.first)}|${told(aligned.second)}`, rows);
    });

  it('keep every step in its order, in as many rows on both sides', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', 'c') }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c') }),
        (one, other) => {
          const { first, second } = alignSteps(steps(one), steps(other));
          assert.equal(first.length, second.length);
          assert.deepEqual([told(first).replaceAll('.', ''), told(second).replaceAll('.', '')], [one, other]);
        },
      ),
      { numRuns: 100 },
    ));
});

function steps(letters: string): readonly StepLine[] {
  return letters.split('').map((text) => ({ kind: 'command', label: 'Command', text, output: '', failed: false }));
}

function told(rows: readonly (StepLine | undefined)[]): string {
  return rows.map((step) => step?.text ?? '.').join('');
}
