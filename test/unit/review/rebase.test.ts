import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ProposedDocument } from '../../../src/ports/proposal.js';
import { explainHunks } from '../../../src/review/explainHunks.js';
import { textsOf } from '../../../src/review/proposalTexts.js';
import { rebase } from '../../../src/review/rebase.js';
import { aReviewDocument } from '../../builders/aReviewProposal.js';

const base = '# Dates\n\nUse the local order.\n\nName the month.\n\nKeep the year.\n\nMind the gap.\n\nThe end.\n';
const document = aReviewDocument(base, [
  { op: 'replace', anchor: 'Use the local order.', content: 'Use ISO order.', rationale: '' },
  { op: 'insert_after', anchor: 'Keep the year.', content: 'Say the time zone.', rationale: '' },
  { op: 'delete', anchor: 'The end.', rationale: '' },
]);

describe('a proposal on a file that has changed since', () => {
  it('keeps every edit whose place is still there', () => {
    const { document: moved, lost } = rebase(document, mine(base));
    assert.deepEqual([keptIn(moved), lost], [['E1', 'E2', 'E3'], []]);
    assert.deepEqual([moved.baseText, moved.candidateText], [mine(base), mine(document.candidateText)]);
    assert.deepEqual(moved.edits[0]?.hunks, [{ before: { start: 2, end: 3 }, after: { start: 2, end: 3 } }]);
    assert.ok(moved.edits.every(({ worth }) => worth.kind === 'not-measured-singly'));
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
  for (const [name, now, id, reason] of cases) {
    it(`leaves an edit out and says why: ${name}`, () => {
      const { lost, document: moved } = rebase(document, now);
      assert.deepEqual(
        lost.map((each) => each.id),
        [id],
      );
      assert.match(lost[0]?.reason ?? '', reason);
      assert.equal(keptIn(moved).includes(id), false);
      assert.equal(moved.candidateText.includes(id === 'E1' ? 'Use ISO order.' : 'Say the time zone.'), false);
    });
  }

  it('leaves out an edit that stands in the words of one that lost its place', () => {
    const two = aReviewDocument(base, [
      { op: 'replace', anchor: 'Keep the year.', content: 'Keep the full year.', rationale: '' },
      { op: 'insert_after', anchor: 'Keep the full year.', content: 'Say it once.', rationale: '' },
    ]);
    const { lost, document: moved } = rebase(two, base.replace('Keep the year.', 'Drop the year.'));
    assert.deepEqual([lost.map(({ id }) => id), keptIn(moved)], [['E1', 'E2'], []]);
  });

  it('finds an edit whose text was moved to another place', () => {
    const now = `${base.replace('Keep the year.\n\n', '')}\nKeep the year.\n\nMore.\n`;
    const { document: moved, lost } = rebase(document, now);
    assert.deepEqual(lost, []);
    assert.match(moved.candidateText, /Keep the year\.\n\nSay the time zone\.\n\nMore\./);
  });

  const presentCases = [
    ['one of them', base.replace('Use the local order.', 'Use ISO order.'), ['E1']],
    ['one that appends', `${base}\nAsk when in doubt.\n`, ['E4']],
    ['all of them, as after a pull', withAppend().candidateText, ['E1', 'E2', 'E3', 'E4']],
  ] as const;
  for (const [name, now, expected] of presentCases) {
    it(`knows the edits that the file already has: ${name}`, () => {
      const { present, lost, document: moved } = rebase(withAppend(), now);
      const others = ['E1', 'E2', 'E3', 'E4'].filter((id) => !expected.some((each) => each === id));
      assert.deepEqual({ present, lost, kept: keptIn(moved) }, { present: expected, lost: [], kept: others });
    });
  }

  it('carries over what the proposal changes beside its edits, and it stays unexplained', () => {
    const smuggled = { ...document, candidateText: document.candidateText.replace('# Dates', '# All dates') };
    const { document: moved } = rebase(smuggled, `${base}\nMine.\n`);
    assert.match(moved.candidateText, /# All dates[^]*Mine\./);
    const { hunks } = explainHunks(textsOf(moved), moved.edits);
    assert.deepEqual(
      hunks.map(({ edits }) => edits.map(({ id }) => id)),
      [[], ['E1'], ['E2'], ['E3']],
    );
  });

  it('keeps an edit that a long skill was allowed to grow by', () => {
    const long = '- a line\n'.repeat(700);
    const grown = aReviewDocument(long, [{ op: 'append', content: '- a rule', rationale: '' }]);
    const { document: moved, lost } = rebase(grown, `- mine\n${long}`);
    assert.deepEqual([lost, moved.candidateText], [[], `- mine\n${long}- a rule\n`]);
  });

  it('never takes a line from the file that no edit names', () => {
    const someLines = fc.array(fc.constantFrom(...base.split('\n'), 'mine', 'other'), { maxLength: 14 });
    fc.assert(
      fc.property(someLines, (lines) => {
        const { document: moved, lost, present } = rebase(document, lines.join('\n'));
        assert.deepEqual([...keptIn(moved), ...present, ...lost.map(({ id }) => id)].sort(), ['E1', 'E2', 'E3']);
        const named = ['Use the local order.', 'The end.', ''];
        const left = moved.candidateText.split('\n');
        for (const line of new Set(lines.filter((each) => !named.includes(each)))) {
          assert.equal(countOf(left, line), countOf(lines, line), line);
        }
      }),
    );
  });
});

function mine(text: string): string {
  return text.replace('# Dates', '# Dates and times').replace('month.', 'month in full.');
}

function withAppend(): ProposedDocument {
  return aReviewDocument(base, [
    ...document.edits.map(({ edit }) => edit),
    { op: 'append', content: 'Ask when in doubt.', rationale: '' },
  ]);
}

function keptIn({ edits }: ProposedDocument): readonly string[] {
  return edits.map(({ id }) => id);
}

function countOf(lines: readonly string[], line: string): number {
  return lines.filter((each) => each === line).length;
}
