import { strict as assert } from 'node:assert';
import { UserError } from '../../../src/errors.js';
import { decideScores, printGateReport } from '../../../src/engine/certify/decideScores.js';

describe('whetstone gate', () => {
  it('accepts a clear gain and gives every figure', () => {
    const report = decideScores({ before: columns(8, [0, 0, 0]), after: columns(8, [1, 1, 1]) });
    assert.deepEqual(
      { ...report, reason: '', interval: [], warnings: [] },
      {
        kind: 'accepted',
        reason: '',
        cause: null,
        cure: null,
        rule: 'confident',
        metric: 'hard',
        before: 0,
        after: 1,
        difference: 1,
        interval: [],
        p: 2 ** -16,
        pTask: 1 / 256,
        alpha: 0.0125,
        n: 8,
        notNeeded: 0,
        passes: 2,
        invalid: 0,
        fixed: ['1', '2', '3', '4', '5', '6', '7', '8'],
        regressed: [],
        warnings: [],
      },
    );
    assert.match(report.reason, /shown on these tasks only/);
  });

  it('looks at no column after its decision', () => {
    const before = columns(8, [0, 0, 1, 1, 1, 1, 1, 1]);
    const after = columns(8, [1, 1, 0, 0, 0, 0, 0, 0]);
    const report = decideScores({ before, after });
    assert.deepEqual([report.kind, report.passes], ['accepted', 2]);
  });

  it('rejects what changes nothing after one pass', () => {
    const report = decideScores({ before: columns(8, [1, 1]), after: columns(8, [1, 1]) });
    assert.deepEqual([report.kind, report.passes, report.p], ['rejected', 1, 1]);
  });

  it('leaves what the scores cannot settle open, and says what would', () => {
    const after = columns(8, [0]).map((row, task) => (task < 3 ? [1] : row));
    const report = decideScores({ before: columns(8, [0]), after });
    assert.deepEqual([report.kind, report.cause, report.cure], ['inconclusive', 'cap', 'At most 7 more passes.']);
  });

  it('refuses to decide on fewer than five tasks, and still describes them', () => {
    const report = decideScores({ before: columns(4, [0, 1]), after: columns(4, [1, 1]) });
    assert.deepEqual([report.kind, report.cause], ['inconclusive', 'too-few-tasks']);
    assert.deepEqual([report.before, report.after, report.n, report.passes, report.p], [0.5, 1, 4, 2, null]);
  });

  it('takes null for an invalid result, which is no zero', () => {
    const after = columns(12, [1]).map((row, task) => (task === 0 ? [null] : row));
    const report = decideScores({ before: columns(12, [0]), after });
    assert.deepEqual([report.kind, report.invalid, report.after], ['accepted', 1, 1]);
  });

  it('is undecided where more than a tenth is missing at the end', () => {
    const after = columns(8, [1, 1]).map((row, task) => (task < 2 ? [null, 1] : row));
    const report = decideScores({ before: columns(8, [0, 0]), after });
    assert.deepEqual([report.kind, report.cause, report.invalid], ['inconclusive', 'too-many-invalid', 2]);
  });

  it('takes soft scores to the hundredth', () => {
    const before = Array.from({ length: 12 }, (_, task) => [0.3 + task / 100]);
    const report = decideScores({ before, after: before.map(([score = 0]) => [score + 0.2]) });
    assert.equal(report.kind, 'accepted');
    assert.ok(Math.abs((report.difference ?? 0) - 0.2) < 1e-9);
  });

  it('warns where no repeat ever differs', () => {
    const report = decideScores({ before: columns(8, [0, 0]), after: columns(8, [1, 1]) });
    assert.match(report.warnings.join(), /fresh attempts/);
    const varied = decideScores({ before: columns(8, [0, 1]), after: columns(8, [1, 1]) });
    assert.deepEqual(varied.warnings, []);
  });

  it('prints the sentence first and the numbers beneath', () => {
    const report = decideScores({ before: columns(12, [0, 1]), after: columns(12, [1, 1]) });
    assert.deepEqual(printGateReport(report).split('\n'), [
      'improved: Better: 12 held-out tasks went from 0 % to 100 % in 1 pass, which luck alone gives at most once in 80 certifications.',
      'before 0 %, after 100 %, difference +100 points (95 % interval +47 points to +100 points)',
      'p 0.0002, across tasks 0.0002, alpha 0.0125',
      '12 tasks, 1 pass',
      'fixed: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12; regressed: none',
      '',
    ]);
  });

  it('prints what would settle it, and warnings', () => {
    const few = printGateReport(decideScores({ before: columns(3, [0]), after: columns(3, [1]) }));
    assert.match(few, /What would settle it: 2 more held-out tasks\./);
    const copies = printGateReport(decideScores({ before: columns(8, [0, 0]), after: columns(8, [1, 1]) }));
    assert.match(copies, /Warning: No task ever gave two different scores/);
  });

  const malformed: readonly { readonly name: string; readonly input: unknown; readonly says: RegExp }[] = [
    { name: 'no object', input: [[1]], says: /not a JSON object/ },
    { name: 'null', input: null, says: /not a JSON object/ },
    { name: 'no after', input: { before: [[1]] }, says: /"after" is not an array of rows/ },
    { name: 'no rows', input: { before: [], after: [] }, says: /"before" is empty/ },
    { name: 'a row that is none', input: { before: [1], after: [[1]] }, says: /Row 1 of "before" is not an array/ },
    { name: 'rows without passes', input: { before: [[]], after: [[]] }, says: /not one pass/ },
    {
      name: 'ragged',
      input: {
        before: [[1, 0], [1]],
        after: [
          [1, 0],
          [1, 0],
        ],
      },
      says: /Row 2 of "before" has 1 pass, the first has 2/,
    },
    {
      name: 'other passes',
      input: {
        before: [[1], [1]],
        after: [
          [1, 0],
          [1, 0],
        ],
      },
      says: /Row 1 of "after" has 2 passes, the first has 1/,
    },
    {
      name: 'other tasks',
      input: { before: [[1], [1]], after: [[1]] },
      says: /"before" has 2 tasks and "after" has 1/,
    },
    {
      name: 'a word',
      input: { before: [['pass']], after: [[1]] },
      says: /Row 1, pass 1 of "before" is not a number or null/,
    },
    { name: 'a truth value', input: { before: [[1]], after: [[true]] }, says: /of "after" is not a number or null/ },
    {
      name: 'a scale of hundred',
      input: { before: [[85]], after: [[90]] },
      says: /is 85, and scores lie between 0 and 1/,
    },
  ];
  for (const { name, input, says } of malformed) {
    it(`refuses ${name}, and says what it wants instead`, () => {
      assert.throws(
        () => decideScores(input),
        (error: unknown) =>
          error instanceof UserError &&
          error.code === 'scores-malformed' &&
          says.test(error.message) &&
          error.cure.includes('"before"'),
      );
    });
  }
});

/** So many equal rows. */
function columns(tasks: number, row: readonly number[]): (number | null)[][] {
  return Array.from({ length: tasks }, () => [...row]);
}
