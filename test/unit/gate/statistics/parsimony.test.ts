import { strict as assert } from 'node:assert';
import { addPass, type Certification } from '../../../../src/gate/statistics/certification.js';
import { startParsimony } from '../../../../src/gate/statistics/parsimony.js';
import { fixedProbability } from '../../../../src/gate/statistics/sequentialTest.js';
import type { PairResult } from '../../../../src/gate/statistics/tally.js';

describe('a shorter skill', () => {
  it('passes where it ties again and again: a loss of ten points would show', () => {
    const accepted = run('..........', 16);
    assert.equal(accepted.decision.kind, 'accepted');
    assert.ok(accepted.test.passes < 16);
  });

  it('is rejected where it keeps losing more than it wins', () => {
    const rejected = run('LLLW......', 16);
    assert.deepEqual(rejected.decision, { kind: 'rejected', cause: 'futile' });
  });

  it('is given sixteen passes while it stays near the margin', () => {
    // Two losses among twenty tasks are ten points: after a slightly better first pass nothing moves any more.
    const passes = [`L${'.'.repeat(19)}`, ...Array.from({ length: 15 }, () => `LL${'.'.repeat(18)}`)];
    assert.deepEqual(runAll(passes.slice(0, 15), false).decision, { kind: 'continue' });
    assert.deepEqual(runAll(passes, false).decision, { kind: 'rejected', cause: 'not-shown' });
  });

  it('weighs a tie as a tenth of a win, in whole steps', () => {
    // One pass of five ties: five steps of +1 in 32 ways.
    const one = run('.....', 1);
    assert.deepEqual(one.test.byTask, [1, 1, 1, 1, 1]);
    assert.equal(fixedProbability(one.test), 1 / 32);
    assert.deepEqual(run('WL...', 1).test.byTask, [11, -9, 1, 1, 1]);
  });

  it('has the margin of ten points on every grid', () => {
    const shifts = ([1, 20, 100] as const).map((grid) => {
      const { scale, shift } = startParsimony({ n: 8, grid }).settings;
      return shift / scale / grid;
    });
    assert.deepEqual(shifts, [0.1, 0.1, 0.1]);
  });

  it('leaves a lost pair out: it is neither a tie nor a tenth of a win', () => {
    assert.deepEqual(run('.........x', 1).test.byTask, [1, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
  });

  it('is held back by a task that got worse, where none may', () => {
    const passes = ['........................L', ...Array.from({ length: 7 }, () => '.'.repeat(25))];
    const accepted = runAll(passes, false);
    assert.equal(accepted.decision.kind, 'accepted');
    assert.equal(runAll(passes.slice(0, accepted.test.passes), true).decision.kind, 'continue');
  });
});

function run(row: string, passes: number): Certification {
  return runAll(
    Array.from({ length: passes }, () => row),
    false,
  );
}

function runAll(rows: readonly string[], noRegression: boolean): Certification {
  let certification = startParsimony({ n: rows[0]?.length ?? 0, grid: 1, noRegression });
  for (const row of rows) {
    if (certification.decision.kind !== 'continue') break;
    certification = addPass(certification, passOf(row));
  }
  return certification;
}

function passOf(row: string): readonly PairResult[] {
  return Array.from(row, (letter, task) => ({
    task,
    before: letter === 'x' ? 'invalid' : letter === 'L' ? 1 : 0,
    after: letter === 'W' ? 1 : 0,
  }));
}
