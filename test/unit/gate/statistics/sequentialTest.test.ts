import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import {
  fixedProbability,
  startSequentialTest,
  stepSequentialTest,
  taskProbability,
  type SequentialPlan,
  type SequentialState,
} from '../../../../src/gate/statistics/sequentialTest.js';
import { crossingLooks, signPatterns } from '../enumeration.js';

const full = process.env['WHETSTONE_FULL'] === '1';
const plan: SequentialPlan = { alpha: 0.0125, maxPasses: 8, futility: [], taskLimit: 0.05 };

describe('the sequential boundary', () => {
  const tables: readonly { readonly name: string; readonly alpha: number; readonly passes: readonly number[][] }[] = [
    { name: 'five tasks that always differ, two passes', alpha: 0.0125, passes: [ones(5), ones(5)] },
    { name: 'few differing pairs a pass', alpha: 0.0125, passes: [ones(2), ones(3), ones(1), ones(4)] },
    { name: 'a tie in the budget (5/8 of 0.0125 is 1/128)', alpha: 0.0125, passes: [[], [], [], [], ones(7)] },
    { name: 'a pass without any difference', alpha: 0.2, passes: [ones(4), [], ones(3)] },
    {
      name: 'soft scores of many sizes',
      alpha: 0.1,
      passes: [
        [7, 30, 12, 55],
        [1, 1, 90],
        [40, 3],
      ],
    },
    { name: 'a generous budget', alpha: 0.9, passes: [ones(3), ones(2), ones(2)] },
  ];
  for (const { name, alpha, passes } of tables) {
    it(`equals full enumeration for every pattern: ${name}`, () => sameAsEnumeration({ ...plan, alpha }, passes));
  }

  it('equals full enumeration for any magnitudes, passes and budget', () => {
    const passes = fc.array(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(
        passes.filter((some) => some.flat().length <= 10),
        fc.double({ min: 0.005, max: 0.6, noNaN: true }),
        (some, alpha) => sameAsEnumeration({ ...plan, alpha }, some),
      ),
      { seed: 4, numRuns: full ? 400 : 40 },
    );
  });

  it('is crossed by luck at most as often as the budget says, over all looks together', () => {
    const passes = [ones(4), ones(4), ones(4)];
    const looks = crossingLooks({ ...plan, alpha: 0.05, maxPasses: 3 }, passes);
    const share = looks.filter((look) => look !== undefined).length / looks.length;
    assert.ok(share > 0 && share <= 0.05, `${share}`);
  });

  it('is first crossed by ten wins and no loss in the first pass', () => {
    assert.equal(step(ones(9)).crossed, false);
    assert.equal(step(ones(10)).crossed, true);
  });

  it('stays crossed when later passes are lost', () => {
    const won = step(ones(10));
    assert.equal(
      stepSequentialTest(
        plan,
        won,
        ones(10).map((one) => -one),
      ).crossed,
      true,
    );
  });

  it('spends no more than its share at any look', () => {
    let state = startSequentialTest(6);
    for (let pass = 1; pass <= 8; pass++) {
      state = stepSequentialTest(plan, state, [1, -1, 1, 0, 1, -1]);
      assert.ok(state.spent <= (plan.alpha * pass) / 8 + 1e-12);
    }
  });
});

describe('fixed and task probabilities', () => {
  it('never rise when an after score rises', () => {
    const passes = fc.array(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 5, maxLength: 5 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(passes, fc.nat(), fc.nat(4), fc.integer({ min: 1, max: 9 }), (some, pass, task, rise) => {
        const raised = some.map((differences, at) =>
          differences.map((difference, index) =>
            at === pass % some.length && index === task ? difference + rise : difference,
          ),
        );
        const before = walk(some);
        const after = walk(raised);
        assert.ok(fixedProbability(after) <= fixedProbability(before) + 1e-12);
        assert.ok(taskProbability(after) <= taskProbability(before) + 1e-12);
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it('are 1 where everything ties', () => {
    const state = walk([[0, 0, 0, 0, 0]]);
    assert.deepEqual([fixedProbability(state), taskProbability(state)], [1, 1]);
  });

  it('differ: eight wins of one task are noise-proof and say nothing across tasks', () => {
    const state = walk(Array.from({ length: 8 }, () => [1, 0, 0, 0, 0]));
    assert.equal(fixedProbability(state), 1 / 256);
    assert.equal(taskProbability(state), 1 / 2);
  });
});

function sameAsEnumeration(some: SequentialPlan, magnitudesByPass: readonly (readonly number[])[]): void {
  const magnitudes = magnitudesByPass.flat();
  const expected = crossingLooks(some, magnitudesByPass);
  for (const [index, signs] of signPatterns(magnitudes.length).entries()) {
    let state = startSequentialTest(magnitudes.length);
    let from = 0;
    let crossedAt: number | undefined;
    for (const pass of magnitudesByPass) {
      const differences = pass.map((magnitude, at) => magnitude * (signs[from + at] ?? 1));
      from += pass.length;
      state = stepSequentialTest(some, state, differences);
      if (state.crossed) crossedAt ??= state.passes;
    }
    assert.equal(crossedAt, expected[index], `pattern ${signs.join(' ')}`);
  }
}

function walk(passes: readonly (readonly number[])[]): SequentialState {
  return passes.reduce(
    (state, differences) => stepSequentialTest(plan, state, differences),
    startSequentialTest(passes[0]?.length ?? 0),
  );
}

function step(differences: readonly number[]): SequentialState {
  return stepSequentialTest(plan, startSequentialTest(differences.length), differences);
}

function ones(count: number): number[] {
  return Array.from({ length: count }, () => 1);
}
