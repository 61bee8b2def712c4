import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { rebase } from '../../../src/review/rebase.js';
import { aReviewDocument } from '../../builders/aReviewProposal.js';

const base = '# Dates\n\nUse the local order.\n\nName the month.\n\nKeep the year.\n\nMind the gap.\n\nThe end.\n';
const document = aReviewDocument(base, [
  { op: 'replace', anchor: 'Use the local order.', content: 'Use ISO order.', rationale: '' },
  { op: 'insert_after', anchor: 'Keep the year.', content: 'Say the time zone.', rationale: '' },
  { op: 'delete', anchor: 'The end.', rationale: '' },
]);
const made = { base, proposed: document.candidateText };

describe('a proposal on a file that has changed since', () => {
  it('keeps every edit whose place nobody touched', () => {
    const real = base.replace('# Dates', '# Dates and times').replace('Name the month.', 'Name the month in full.');
    const { ground, held, lost, changedLines } = rebase(made, document.edits, real);
    assert.deepEqual(held, ['E1', 'E2', 'E3']);
    assert.deepEqual(lost, []);
    assert.equal(changedLines, 2);
    assert.equal(ground.base, real);
    assert.equal(
      ground.proposed,
      made.proposed.replace('# Dates', '# Dates and times').replace('Name the month.', 'Name the month in full.'),
    );
  });

  const cases = [
    [
      'the lines of an edit were changed',
      base.replace('Use the local order.', 'Use the usual order.'),
      'E1',
      /does not contain/,
    ],
    ['its anchor is gone', base.replace('Keep the year.\n\n', ''), 'E2', /does not contain “Keep the year\.”/],
    ['its anchor is there twice', `${base}\nKeep the year.\n`, 'E2', /more than once/],
  ] as const;
  for (const [name, real, id, reason] of cases) {
    it(`leaves an edit out and says why: ${name}`, () => {
      const { lost, held, ground } = rebase(made, document.edits, real);
      assert.deepEqual(
        lost.map((each) => each.id),
        [id],
      );
      assert.match(lost[0]?.reason ?? '', reason);
      assert.equal(held.includes(id), false);
      assert.equal(ground.proposed.includes(id === 'E1' ? 'Use ISO order.' : 'Say the time zone.'), false);
    });
  }

  it('finds an edit whose text was moved to another place', () => {
    const real = `${base.replace('Keep the year.\n\n', '')}\nKeep the year.\n\nMore.\n`;
    const { ground, lost } = rebase(made, document.edits, real);
    assert.deepEqual(lost, []);
    assert.match(ground.proposed, /Keep the year\.\n\nSay the time zone\.\n\nMore\./);
  });

  it('knows an edit that the file already has', () => {
    const { present, lost, held } = rebase(
      made,
      document.edits,
      base.replace('Use the local order.', 'Use ISO order.'),
    );
    assert.deepEqual({ present, lost, held }, { present: ['E1'], lost: [], held: ['E2', 'E3'] });
  });

  it('never takes a line from the file that no edit names', () => {
    const someLines = fc.array(fc.constantFrom(...base.split('\n'), 'mine', 'other'), { maxLength: 14 });
    fc.assert(
      fc.property(someLines, (lines) => {
        const real = lines.join('\n');
        const { ground, held, lost, present } = rebase(made, document.edits, real);
        assert.deepEqual([...held, ...present, ...lost.map(({ id }) => id)].sort(), ['E1', 'E2', 'E3']);
        const named = ['Use the local order.', 'The end.', ''];
        const left = ground.proposed.split('\n');
        for (const line of new Set(lines.filter((each) => !named.includes(each)))) {
          assert.equal(countOf(left, line), countOf(lines, line), line);
        }
      }),
    );
  });
});

function countOf(lines: readonly string[], line: string): number {
  return lines.filter((each) => each === line).length;
}
