import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import {
  addBlock,
  effectsOf,
  isAttributed,
  keptFactors,
  nextBlock,
  startAttribution,
  type Attribution,
  groupEdits,
  planBlock,
} from '../../../../src/gate/statistics/attribution.js';
import { seeded } from '../../../bench/gate/random.js';

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
