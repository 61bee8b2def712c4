import { strict as assert } from 'node:assert';
import { mean, sampleStandardDeviation } from 'simple-statistics';
import { differenceInterval, shareInterval, studentPoint } from '../../../../src/gate/statistics/interval.js';
import { seeded } from '../../../../src/gate/rules/random.js';
import { attemptPass, drawTasks } from '../../../../src/gate/rules/simulatedTasks.js';

describe('the 97.5 % point of Student’s t', () => {
  // Integrated numerically below, from the density alone.
  for (const df of [1, 2, 3, 4, 5, 7, 10, 11, 15, 19, 30, 39, 100, 1000]) {
    it(`leaves 2.5 % above it with ${df} degrees of freedom`, () => {
      assert.ok(Math.abs(centralShare(studentPoint(df), df) - 0.95) < 1e-5);
    });
  }
});

describe('Wilson’s interval of a share', () => {
  for (const [hits, of, low, high] of [
    [11, 14, 0.5241, 0.9243],
    [12, 12, 0.7575, 1],
    [0, 12, 0, 0.2425],
    [8, 10, 0.4902, 0.9433],
    [81, 263, 0.2553, 0.3662],
    [1, 2, 0.0945, 0.9055],
  ] as const)
    it(`is ${low} to ${high} for ${hits} of ${of}`, () => {
      const interval = shareInterval(hits, of) ?? assert.fail('no interval');
      assert.deepEqual(
        interval.map((each) => Math.round(each * 10_000) / 10_000),
        [low, high],
      );
    });

  it('is none for nothing', () => assert.equal(shareInterval(0, 0), undefined));
});

describe('the interval of a difference', () => {
  it('is mean and standard error of the task means, widened for few tasks', () => {
    const differences = [0.5, 0, 0.25, -0.25, 0.5, 0.125, 0, 0.375];
    const half = (2.36462 * sampleStandardDeviation(differences)) / Math.sqrt(8);
    const [low, high] = differenceInterval(differences, 32) ?? assert.fail('no interval');
    assert.ok(Math.abs(low - (mean(differences) - half)) < 1e-9);
    assert.ok(Math.abs(high - (mean(differences) + half)) < 1e-9);
  });

  it('stays within -1 and 1', () => {
    assert.deepEqual(differenceInterval([1, -1], 2), [-1, 1]);
  });

  it('claims no certainty where every task moved alike, and less the fewer pairs there are', () => {
    const [low, high] = differenceInterval([1, 1, 1, 1, 1], 5) ?? assert.fail('no interval');
    assert.ok(low < 0.1 && high === 1);
    const [later] = differenceInterval([1, 1, 1, 1, 1], 40) ?? assert.fail('no interval');
    assert.ok(later > 0.8 && later < 1);
    const nothing = differenceInterval([0, 0, 0, 0, 0], 10) ?? assert.fail('no interval');
    assert.ok(nothing[0] < -0.2 && nothing[1] > 0.2 && nothing[0] === -nothing[1]);
  });

  it('is none for a single task', () => {
    assert.equal(differenceInterval([1], 8), undefined);
  });

  it('contains the truth about 95 times in 100', () => {
    const random = seeded(9);
    // The rate moves by 20 points on every task that has room: the truth is averaged over many of them.
    const truth = mean(drawTasks(seeded(10), 50_000, () => 0.2).map(({ before, after }) => after - before));
    const runs = 1500;
    let covered = 0;
    for (let run = 0; run < runs; run++) {
      const tasks = drawTasks(random, 12, () => 0.2);
      const sums = tasks.map(() => 0);
      for (let pass = 0; pass < 3; pass++) {
        for (const { task, before, after } of attemptPass(random, tasks)) {
          sums[task] = (sums[task] ?? 0) + (Number(after) - Number(before)) / 3;
        }
      }
      const [low, high] = differenceInterval(sums, 36) ?? assert.fail('no interval');
      covered += low <= truth && truth <= high ? 1 : 0;
    }
    assert.ok(covered / runs > 0.925 && covered / runs < 0.975, `${covered / runs}`);
  });
});

/** Simpson's rule on the density of t; its constant is found by integrating the whole of it. */
function centralShare(point: number, df: number): number {
  // x = sqrt(df) tan(angle) makes the density cos^(df - 1) of an angle between -90 and 90 degrees.
  const edge = Math.atan(point / Math.sqrt(df));
  return integrate(edge, df) / integrate(Math.PI / 2, df);
}

function integrate(edge: number, df: number): number {
  const steps = 20_000;
  let sum = 0;
  for (let step = 0; step <= steps; step++) {
    const weight = step === 0 || step === steps ? 1 : step % 2 === 1 ? 4 : 2;
    sum += weight * Math.max(0, Math.cos((edge * step) / steps)) ** (df - 1);
  }
  return (sum * edge) / (3 * steps);
}
