import assert from 'node:assert/strict';
import {
  joinPlainTries,
  joinTries,
  judgeSecondTries,
  repeatable,
  scriptsToRepeat,
  type JobOutcome,
} from '../../scripts/test/secondTries.mjs';

const passed = { passed: 3, failed: 0, skipped: 0, retried: 0 };
const failed = { passed: 1, failed: 2, skipped: 0, retried: 0 };

describe('the second try of a script in a window', () => {
  const job = { scripts: ['a.test.ts', 'b.test.ts', 'c.test.ts'] };

  it('is for those that failed, and for those that never ran', () => {
    const outcome = anOutcome({ scripts: { 'a.test.ts': passed, 'b.test.ts': failed } });
    assert.deepEqual(scriptsToRepeat(job, outcome), ['b.test.ts', 'c.test.ts']);
  });

  it('is for all of them where the window failed and nobody knows why', () => {
    const outcome = anOutcome({ scripts: { 'a.test.ts': passed, 'b.test.ts': passed, 'c.test.ts': passed } });
    assert.deepEqual(scriptsToRepeat(job, outcome), job.scripts);
  });

  it('counts in place of the first, and leaves the counts of the others as they were', () => {
    const first = anOutcome({ passed: 4, failed: 2, scripts: { 'a.test.ts': passed, 'b.test.ts': failed } });
    const second = anOutcome({ passed: 3, scripts: { 'b.test.ts': passed } });
    const joined = joinTries(first, second, ['b.test.ts']);
    assert.deepEqual([joined.passed, joined.failed, joined.seconds], [6, 0, 20]);
    assert.deepEqual(joined.repeated, ['b.test.ts']);
  });

  it('is named with its reason', () => {
    const { lines, title } = judgeSecondTries([
      anOutcome({ scriptCount: 20, repeated: ['b.test.ts'], firstTry: ['b.test.ts a box opens: in vain'] }),
    ]);
    assert.deepEqual(lines, ['b.test.ts: a box opens: in vain']);
    assert.equal(title, 'needed a second try, 1 of 20 window scripts and 0 tests without a window');
  });

  it('is counted too where only a test was tried again in the same window', () => {
    const outcome = anOutcome({ scriptCount: 1, scripts: { 'a.test.ts': { ...passed, retried: 1 } } });
    assert.deepEqual(judgeSecondTries([outcome]).lines, ['a.test.ts: a test of it, in the same window']);
  });

  for (const [repeated, scriptCount, isTooMany] of [
    [0, 10, false],
    [1, 10, false],
    [1, 9, true],
    [2, 20, false],
    [3, 20, true],
  ] as const) {
    it(`${isTooMany ? 'fails' : 'does not fail'} the run where ${repeated} of ${scriptCount} scripts needed it`, () => {
      const names = Array.from({ length: repeated }, (_, at) => `${at}.test.ts`);
      const { problem } = judgeSecondTries([anOutcome({ scriptCount, repeated: names })]);
      assert.equal(problem !== undefined, isTooMany, problem);
    });
  }
});

describe('the second try of a test without a window', () => {
  const titles = ['a key (“sk-…”) is [never] sent', 'a clock runs'];

  it('is for those that failed alone, whatever signs are in their names', () => {
    const pattern = new RegExp(repeatable({ failedTitles: titles }) ?? 'none');
    assert.deepEqual(
      titles.filter((title) => pattern.test(title)),
      titles,
    );
    assert.ok(!pattern.test('a clock runs on'));
  });

  it('is given to none where nothing failed, and where more failed than the machine could cause', () => {
    assert.equal(repeatable({ failedTitles: [] }), undefined);
    assert.equal(repeatable({ failedTitles: ['a', 'b', 'c', 'd'] }), undefined);
  });

  it('counts in place of the first, and is named', () => {
    const first = anOutcome({ passed: 98, failed: 2, problems: ['a: 1 is not 2', 'b: too late'] });
    const joined = joinPlainTries(first, anOutcome({ passed: 1, failed: 1, problems: ['b: too late'] }));
    assert.deepEqual([joined.passed, joined.failed, joined.problems], [99, 1, ['b: too late']]);
    assert.deepEqual(judgeSecondTries([joined]).lines, ['a: 1 is not 2', 'b: too late']);
  });

  it('has failed where it did not run', () => {
    const first = anOutcome({ passed: 98, failed: 1, problems: ['"before each" hook: no'] });
    assert.deepEqual([joinPlainTries(first, anOutcome({})).failed], [1]);
  });

  it('fails the run where several jobs together needed more than three', () => {
    const job = anOutcome({ repeatedTests: ['a: no', 'b: no'] });
    assert.equal(judgeSecondTries([job]).problem, undefined);
    assert.match(judgeSecondTries([job, job]).problem ?? '', /4 tests without a window: too many tests/);
  });
});

function anOutcome(more: Partial<JobOutcome>): JobOutcome {
  return {
    step: 'e2e',
    name: 'e2e review',
    seconds: 10,
    passed: 0,
    failed: 0,
    skipped: 0,
    problems: [],
    scripts: {},
    ...more,
  };
}
