import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import {
  addBlock,
  effectsOf,
  isAttributed,
  isBundleBetter,
  isDoubtful,
  keptFactors,
  nextBlock,
  nextTasks,
  startAttribution,
  untried,
  type Attribution,
} from '../../../../src/gate/statistics/attribution.js';
import { groupEdits, planBlock, planBlocks, tellingOrder } from '../../../../src/gate/statistics/attributionPlan.js';
import { seeded } from '../../../../src/gate/rules/random.js';

describe('a block of variants', () => {
  const table = [
    { factors: 1, block: 1, variants: 2 },
    { factors: 2, block: 1, variants: 4 },
    { factors: 2, block: 2, variants: 4 },
    { factors: 3, block: 1, variants: 8 },
    { factors: 4, block: 1, variants: 8 },
    { factors: 4, block: 2, variants: 8 },
  ];
  for (const { factors, block, variants } of table) {
    it(`holds ${variants} variants for ${factors} edits (block ${block}), each edit in half of them`, () => {
      const plan = planBlock(factors, block);
      assert.equal(plan.length, variants);
      assert.equal(new Set(plan.map((subset) => subset.join())).size, variants);
      for (let factor = 0; factor < factors; factor++) {
        assert.equal(plan.filter((subset) => subset.includes(factor)).length, variants / 2);
      }
    });
  }

  it('holds the even subsets of four edits first, then the odd ones: together all sixteen', () => {
    assert.ok(planBlock(4, 1).every((subset) => subset.length % 2 === 0));
    assert.ok(planBlock(4, 2).every((subset) => subset.length % 2 === 1));
    assert.deepEqual(planBlock(4, 3), planBlock(4, 1));
  });

  it('is not planned for more edits than the design was measured with', () => {
    assert.throws(() => planBlock(5, 1), RangeError);
    assert.throws(() => planBlock(0, 1), RangeError);
  });
});

describe('groups of edits', () => {
  it('are single edits up to four', () => {
    assert.deepEqual(groupEdits(['E1', 'E2', 'E3', 'E4']), [['E1'], ['E2'], ['E3'], ['E4']]);
    assert.deepEqual(groupEdits([]), []);
  });

  it('are four for more, as even as they go, and lose nobody', () => {
    assert.deepEqual(groupEdits([1, 2, 3, 4, 5, 6]), [[1], [2, 3], [4], [5, 6]]);
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 4, maxLength: 40 }), (edits) => {
        const groups = groupEdits(edits);
        const sizes = groups.map((group) => group.length);
        assert.deepEqual(groups.flat(), edits);
        assert.ok(groups.length === 4 && Math.max(...sizes) - Math.min(...sizes) <= 1);
      }),
      { seed: 11, numRuns: 40 },
    );
  });
});

describe('the tasks of a bounded attribution', () => {
  const costs = Array.from({ length: 20 }, () => 1);

  it('are all of them in each of three blocks where nothing bounds it, or the bound is high enough', () => {
    for (const mostCalls of [undefined, 27 * 20]) {
      const { blocks, bounded } = planBlocks({ factors: 4, costs, mostCalls });
      assert.deepEqual([blocks.map((block) => block.length), bounded], [[20, 20, 20], false]);
    }
  });

  const table = [
    { factors: 4, mostCalls: 80, blocks: [4, 4] },
    { factors: 2, mostCalls: 80, blocks: [8, 8] },
    { factors: 4, mostCalls: 400, blocks: [20, 20, 4] },
    { factors: 4, mostCalls: 9, blocks: [1] },
    { factors: 4, mostCalls: 8, blocks: [] },
  ];
  for (const { factors, mostCalls, blocks } of table) {
    it(`are ${blocks.join(' + ') || 'none'} for ${mostCalls} calls and ${factors} edits`, () => {
      const plan = planBlocks({ factors, costs, mostCalls });
      assert.deepEqual([plan.blocks.map((block) => block.length), plan.bounded], [blocks, true]);
    });
  }

  it('never cost more than the bound, whatever each of them costs, and are never twice in a block', () => {
    const sizes = fc.record({
      factors: fc.integer({ min: 2, max: 4 }),
      costs: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 40 }),
      mostCalls: fc.integer({ min: 0, max: 1_500 }),
    });
    fc.assert(
      fc.property(sizes, (size) => {
        const { blocks } = planBlocks(size);
        const attempts = planBlock(size.factors, 1).length + 1;
        const calls = blocks.flat().reduce((sum, task) => sum + attempts * (size.costs[task] ?? 0), 0);
        assert.ok(calls <= size.mostCalls && blocks.length <= 3);
        assert.ok(blocks.every((block) => block.length > 0 && new Set(block).size === block.length));
      }),
      { seed: 14, numRuns: 200 },
    );
  });

  it('are first those that taught the edits, in turn, with every third one that only passed', () => {
    const seen = [[1], [0], [0, 1], [0], [1], [0], [], [0]];
    assert.deepEqual(tellingOrder({ seen, taught: [[3, 5], [], [7]] }), [3, 7, 0, 5, 2, 4, 1, 6]);
  });

  it('are every task once, whatever is known of them', () => {
    const score = fc.constantFrom(0, 0.5, 1);
    fc.assert(
      fc.property(fc.array(fc.array(score, { maxLength: 3 }), { maxLength: 12 }), fc.nat(), (seen, at) => {
        const taught = seen.length === 0 ? [] : [[at % seen.length, 0]];
        assert.deepEqual(
          tellingOrder({ seen, taught }).toSorted((a, b) => a - b),
          seen.map((_, task) => task),
        );
      }),
      { seed: 15, numRuns: 200 },
    );
  });
});

describe('edits that are needed together', () => {
  it('are not told apart by the first half of the variants: a zero there is not clear', () => {
    const half = measuredBy(passes, startAttribution({ factors: 4, tasks: 6 }));
    assert.deepEqual(
      effectsOf(half).map(({ effect, standardError }) => [effect, standardError]),
      [1, 0, 0, 0].map((effect) => [effect, 0]),
    );
    assert.equal(isAttributed(half), false);
    const whole = measuredBy(passes, half);
    assert.deepEqual(keptFactors(whole), [0, 1, 2, 3]);
  });

  it('win over a part of them that does worse on the training tasks', () => {
    const half = measuredBy(passes, startAttribution({ factors: 4, tasks: 6 }));
    const more = untried(half, [0], { costs: [1, 1, 1, 1, 1, 1], mostCalls: undefined }).map((each) => ({
      ...each,
      score: passes(each.variant),
    }));
    assert.deepEqual([more.length, more.every(({ variant }) => variant.join() === '0')], [6, true]);
    assert.equal(isBundleBetter(half, [0], more), true);
    assert.equal(isBundleBetter(half, [0, 1], []), false, 'a part that does as well stays a part');
  });

  it('win where some of the tasks need all of them and the others a part: needing each other is no noise', () => {
    const plan = { blocks: [[0, 1, 2, 3]], bounded: true };
    const start = startAttribution({ factors: 4, tasks: 11, plan });
    const rows = nextBlock(start).map((variant) => nextTasks(start).map((task) => scoreAt(task, variant)));
    const half = addBlock(start, rows);
    const more = untried(half, [0, 1, 2], { costs: Array.from({ length: 11 }, () => 1), mostCalls: undefined });
    assert.equal(
      isBundleBetter(
        half,
        [0, 1, 2],
        more.map((each) => ({ ...each, score: scoreAt(each.task, each.variant) })),
      ),
      true,
    );
  });

  it('are held against a part on further tasks, as far as calls are left and something dropped may be needed', () => {
    const plan = { blocks: [[0, 1]], bounded: true };
    const idle = measuredBy(
      (variant) => (variant.includes(0) ? 1 : 0),
      startAttribution({ factors: 2, tasks: 5, plan }),
    );
    const costs = [1, 1, 1, 2, 1];
    const tasksOf = (mostCalls: number) => untried(idle, [0], { costs, mostCalls }).map(({ task }) => task);
    assert.deepEqual(tasksOf(100), [2, 2, 3, 3, 4, 4]);
    assert.deepEqual(tasksOf(5), [2, 2]);
    const harmful = measuredBy(
      (variant) => 0.5 + (variant.includes(0) ? 0.4 : 0) - (variant.includes(1) ? 0.4 : 0),
      startAttribution({ factors: 2, tasks: 5, plan }),
    );
    assert.deepEqual(untried(harmful, [0], { costs, mostCalls: 100 }), []);
  });

  it('do not win by luck', () => {
    const random = seeded(16);
    const coin = (variant: readonly number[]): number => (random() < (variant.length > 0 ? 0.6 : 0.3) ? 1 : 0);
    let won = 0;
    for (let run = 0; run < 200; run++) {
      const half = measuredBy(coin, startAttribution({ factors: 2, tasks: 8 }));
      won += isBundleBetter(half, [0], []) ? 1 : 0;
    }
    assert.ok(won <= 4, `${won} of 200`);
  });
});

describe('attribution that its bound ended in doubt', () => {
  it('keeps what is clear, or the best one where nothing is', () => {
    const plan = { blocks: [[0, 1, 2, 3]], bounded: true };
    const noisy = (strength: number) => {
      let at = 0;
      // Odd attempts a little above, even ones a little below: noise of a known size.
      return measuredBy(
        (variant) =>
          0.5 + (variant.includes(0) ? strength : 0) + (variant.includes(1) ? 0.02 : 0) + 0.2 * (at++ % 3) - 0.2,
        startAttribution({ factors: 2, tasks: 4, plan }),
      );
    };
    assert.equal(isDoubtful(noisy(0.5)), true);
    assert.deepEqual(keptFactors(noisy(0.5)), [0]);
    assert.equal(keptFactors(noisy(0.03)).length, 1);
  });

  it('is in no doubt where every effect is clear', () => {
    const plan = { blocks: [[0, 1]], bounded: true };
    const exact = measuredBy(
      (variant) => (variant.includes(0) ? 1 : 0),
      startAttribution({ factors: 2, tasks: 4, plan }),
    );
    assert.deepEqual([isDoubtful(exact), keptFactors(exact)], [false, [0]]);
  });
});

describe('what each edit is worth', () => {
  it('is read off exactly where nothing is noisy', () => {
    const attribution = measure([0.2, -0.1], 6);
    const [first, second] = effectsOf(attribution);
    assert.ok(Math.abs((first?.effect ?? 0) - 0.2) < 1e-9);
    assert.ok(Math.abs((second?.effect ?? 0) + 0.1) < 1e-9);
    assert.ok((first?.standardError ?? 1) < 1e-9);
    assert.deepEqual(keptFactors(attribution), [0]);
    assert.equal(isAttributed(attribution), true, 'one block is enough');
  });

  it('is clear after one block where nothing changes anything', () => {
    const begun = startAttribution({ factors: 2, tasks: 6 });
    const same = nextBlock(begun).map(() => [1, 0, 1, 0, 1, 0]);
    assert.equal(isAttributed(addBlock(begun, same)), true);
  });

  for (const effects of [[0.3], [0.3, -0.2], [0.3, -0.2, 0.1], [0.1, 0.1, 0.1, -0.2]]) {
    it(`keeps the good ones of ${effects.length}: ${effects.join(', ')}`, () => {
      assert.deepEqual(
        keptFactors(measure(effects, 8)),
        effects.flatMap((effect, factor) => (effect > 0 ? [factor] : [])),
      );
    });
  }

  it('is not distorted by an attempt that was lost at a hard task', () => {
    // Two hard tasks and two easy ones; the hard ones are lost wherever the edit was carried.
    const levels = [0.1, 0.1, 0.8, 0.8];
    const begun = startAttribution({ factors: 1, tasks: 4 });
    const scores = nextBlock(begun).map((variant) =>
      levels.map((level, task) => (variant.length > 0 && task === 0 ? undefined : level)),
    );
    assert.ok(Math.abs(effectsOf(addBlock(begun, scores))[0]?.effect ?? 1) < 1e-9);
  });

  it('keeps no edit that changes nothing', () => {
    assert.deepEqual(keptFactors(measure([0, 0, 0], 5)), []);
  });

  it('keeps all but what clearly does harm, where the skill only has to get shorter', () => {
    assert.deepEqual(keptFactors(measure([0, 0.1, -0.2], 5), 'not-worse'), [0, 1]);
    assert.deepEqual(keptFactors(measure([0, 0, 0], 5), 'not-worse'), [0, 1, 2]);
  });

  it('goes on while an edit is not clear, and stops after three blocks', () => {
    const random = seeded(12);
    let attribution = startAttribution({ factors: 2, tasks: 4 });
    assert.equal(isAttributed(attribution), false);
    const blocks: boolean[] = [];
    while (!isAttributed(attribution)) {
      // Coins: no edit is worth anything, so most of the time nothing becomes clear.
      attribution = addBlock(
        attribution,
        nextBlock(attribution).map(() => Array.from({ length: 4 }, () => (random() < 0.5 ? 1 : 0))),
      );
      blocks.push(isAttributed(attribution));
    }
    assert.deepEqual(blocks, [false, false, true]);
  });

  it('is in doubt where few of the tasks were tried, though no attempt at them was noisy', () => {
    const mends = [1, 0, 0, 0];
    const measured = (tasks: number) => {
      const begun = startAttribution({ factors: 2, tasks, plan: { blocks: [[0, 1, 2, 3]], bounded: true } });
      return addBlock(
        begun,
        nextBlock(begun).map((variant) => mends.map((score) => score * Number(variant.includes(0)))),
      );
    };
    const [all] = effectsOf(measured(4));
    assert.deepEqual([all?.effect, all?.interval], [0.25, [0.25, 0.25]]);
    const [part] = effectsOf(measured(16));
    assert.equal(part?.effect, 0.25);
    assert.ok((part?.interval[0] ?? 0) < -0.3 && (part?.interval[1] ?? 0) > 0.8, String(part?.interval));
    assert.deepEqual([isDoubtful(measured(4)), isDoubtful(measured(16))], [false, true]);
    assert.deepEqual([keptFactors(measured(4)), keptFactors(measured(16))], [[0], [0]], 'the best one stays');
  });

  it('has an interval that contains the truth about 95 times in 100', () => {
    const random = seeded(13);
    const runs = 400;
    let covered = 0;
    for (let run = 0; run < runs; run++) {
      let attribution = startAttribution({ factors: 2, tasks: 10 });
      for (let block = 0; block < 2; block++) {
        const scores = nextBlock(attribution).map((variant) =>
          Array.from({ length: 10 }, () => (random() < 0.4 + (variant.includes(0) ? 0.2 : 0) ? 1 : 0)),
        );
        attribution = addBlock(attribution, scores);
      }
      const [low, high] = effectsOf(attribution)[0]?.interval ?? assert.fail('no interval');
      covered += low <= 0.2 && 0.2 <= high ? 1 : 0;
    }
    assert.ok(covered / runs > 0.91 && covered / runs < 0.99, `${covered / runs}`);
  });

  it('can be stored after every block', () => {
    const attribution = measure([0.2, -0.1, 0.05], 5);
    const read: unknown = JSON.parse(JSON.stringify(attribution));
    assert.deepEqual(read, attribution);
  });

  it('takes complete blocks only', () => {
    const begun = startAttribution({ factors: 2, tasks: 3 });
    assert.throws(() => addBlock(begun, [[1, 1, 1]]), /4 variants of 3 tasks/);
    assert.throws(() => addBlock(begun, [[1], [1], [1], [1]]), /4 variants of 3 tasks/);
  });
});

/** The first edit is needed, and any one of the others beside it. */
function passes(variant: readonly number[]): number {
  return variant.includes(0) && variant.length > 1 ? 1 : 0;
}

/** One more block of attempts that score as the variant does. */
/** Every task needs three edits, and every fourth task one more. */
function scoreAt(task: number, variant: readonly number[]): number {
  return [0, 1, 2, ...(task % 4 === 0 ? [3] : [])].every((factor) => variant.includes(factor)) ? 1 : 0;
}

function measuredBy(score: (variant: readonly number[]) => number, before: Attribution): Attribution {
  const tasks = nextTasks(before);
  return addBlock(
    before,
    nextBlock(before).map((variant) => tasks.map(() => score(variant))),
  );
}

/** One block without noise: every task has its own level, every edit adds its effect. */
function measure(effects: readonly number[], tasks: number): Attribution {
  const begun = startAttribution({ factors: effects.length, tasks });
  const scores = nextBlock(begun).map((variant) =>
    Array.from(
      { length: tasks },
      (_, task) => 0.3 + 0.02 * task + variant.reduce((sum, factor) => sum + (effects[factor] ?? 0), 0),
    ),
  );
  return addBlock(begun, scores);
}
