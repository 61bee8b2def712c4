import assert from 'node:assert/strict';
import { decideScores } from '../../../../src/engine/certify/decideScores.js';
import { acceptanceRules, type AcceptanceRule, type NextPass } from '../../../../src/gate/rules/acceptanceRules.js';
import { seeded } from '../../../../src/gate/rules/random.js';
import { attemptPass, drawTasks } from '../../../../src/gate/rules/simulatedTasks.js';
import type { ScoreGrid } from '../../../../src/gate/statistics/scores.js';
import type { PairResult } from '../../../../src/gate/statistics/tally.js';

/** By how much each task moves in each pass, on a base of 0 (gains) or 1 (losses). */
type Moves = readonly (readonly (-1 | 0 | 1)[])[];

describe('the acceptance rules', () => {
  const cases: readonly {
    readonly rule: string;
    readonly name: string;
    readonly moves: Moves;
    readonly says: string;
  }[] = [
    { rule: 'higher-1', name: 'one task better', moves: every(12, 1, [1]), says: 'accepted' },
    { rule: 'higher-1', name: 'a tie', moves: every(12, 1, [1, -1]), says: 'rejected' },
    {
      rule: 'higher-5',
      name: 'six attempts better, five worse',
      moves: [run(5, 1), run(5, -1), [1]],
      says: 'accepted',
    },
    { rule: 'median-epsilon', name: 'two of three at one of 12', moves: spread(12, [1, 1, 0]), says: 'accepted' },
    { rule: 'median-epsilon', name: 'one of three at one of 12', moves: spread(12, [1, 0, 0]), says: 'rejected' },
    { rule: 'median-epsilon', name: 'all of three at one of 24', moves: spread(24, [1, 1, 1]), says: 'rejected' },
    { rule: 'standard-error-1', name: 'two tasks better', moves: every(12, 5, [1, 1]), says: 'accepted' },
    { rule: 'standard-error-2', name: 'two tasks better', moves: every(12, 5, [1, 1]), says: 'rejected' },
    { rule: 'sign-test', name: 'five tasks better', moves: every(12, 5, run(5, 1)), says: 'accepted' },
    { rule: 'sign-test', name: 'four tasks better', moves: every(12, 5, run(4, 1)), says: 'rejected' },
    { rule: 'sign-test', name: 'five better, one worse', moves: every(12, 5, [...run(5, 1), -1]), says: 'rejected' },
    { rule: 'mcnemar-1', name: 'six pairs better', moves: every(12, 1, run(6, 1)), says: 'accepted' },
    { rule: 'mcnemar-1', name: 'five pairs better', moves: every(12, 1, run(5, 1)), says: 'rejected' },
    { rule: 'mcnemar-1', name: 'six pairs worse', moves: every(12, 1, run(6, -1)), says: 'rejected' },
    { rule: 'mcnemar-5', name: 'six attempts better at two tasks', moves: [run(5, 1), [1]], says: 'accepted' },
    { rule: 'bootstrap', name: 'every task better', moves: every(5, 5, run(5, 1)), says: 'accepted' },
    { rule: 'bootstrap', name: 'nothing moved', moves: every(5, 5, []), says: 'rejected' },
    { rule: 'betting', name: 'eight pairs better', moves: every(12, 1, run(8, 1)), says: 'accepted' },
    { rule: 'whetstone', name: 'four tasks', moves: every(4, 8, run(4, 1)), says: 'open' },
  ];
  for (const { rule, name, moves, says } of cases) {
    it(`${rule}: ${name} → ${says}`, () => {
      assert.equal(ruleCalled(rule).decide(passes(moves)).kind, says);
    });
  }

  it('one standard error: a gain at one task alone ties with its own error, whatever the number of tasks', () => {
    for (let n = 2; n <= 40; n++) {
      assert.equal(ruleCalled('standard-error-1').decide(passes(every(n, 5, [1]))).kind, 'rejected', `${n} tasks`);
    }
  });

  it('bootstrap: counts the same share of samples without a gain as listing all of them', () => {
    const random = seeded(11);
    for (let round = 0; round < 40; round++) {
      const moves = Array.from({ length: 5 }, () => Array.from({ length: 5 }, () => coin(random())));
      const gains = moves.map((row) => row.reduce<number>((sum, move) => sum + move, 0));
      const accepted = ruleCalled('bootstrap').decide(passes(moves)).kind === 'accepted';
      assert.equal(accepted, shareWithoutGain(gains) <= 0.025, gains.join());
    }
  });

  it('ours: decides as the gate does, with as many attempts', () => {
    const random = seeded(12);
    const kinds = new Set<string>();
    for (let round = 0; round < 40; round++) {
      const tasks = drawTasks(random, 12, () => 0.3);
      const columns = Array.from({ length: 8 }, () => attemptPass(random, tasks));
      const row = (side: 'before' | 'after') => tasks.map((_, task) => columns.map((pass) => pass[task]?.[side]));
      const verdict = decideScores({ before: row('before'), after: row('after') });
      const decision = ruleCalled('whetstone').decide(inTurn(columns));
      assert.deepEqual(decision, { kind: verdict.kind, attempts: 24 * (verdict.passes ?? 0) });
      kinds.add(decision.kind);
    }
    assert.deepEqual([...kinds].sort(), ['accepted', 'rejected']);
  });

  it('leave out a pair that lacks a score', () => {
    const lost: PairResult[] = [0, 1].map((task) => ({ task, before: 'invalid', after: 1 }));
    for (const id of ['higher-1', 'mcnemar-1']) assert.equal(ruleCalled(id).decide(inTurn([lost])).kind, 'rejected');
  });

  it('are undecided where there are fewer attempts than they want, and name their source', () => {
    for (const { decide, source, id } of acceptanceRules) {
      assert.equal(decide(() => undefined, 1).kind, 'open', id);
      assert.match(source.url, id === 'whetstone' ? /^gate\.md$/ : /^https:\/\//);
    }
    assert.equal(new Set(acceptanceRules.map(({ id }) => id)).size, acceptanceRules.length);
  });
});

function ruleCalled(id: string): { readonly decide: (next: NextPass) => ReturnType<AcceptanceRule['decide']> } {
  const rule = acceptanceRules.find((each) => each.id === id);
  assert.ok(rule, id);
  const grid: ScoreGrid = 1;
  return { decide: (next) => rule.decide(next, grid) };
}

/** So many tasks over so many passes; the first ones move alike in every pass. */
function every(tasks: number, count: number, moved: readonly (-1 | 0 | 1)[]): Moves {
  return Array.from({ length: tasks }, (_, task) => Array.from({ length: count }, () => moved[task] ?? 0));
}

/** The first task moves so, the others not. */
function spread(tasks: number, first: readonly (-1 | 0 | 1)[]): Moves {
  return Array.from({ length: tasks }, (_, task) => first.map((move) => (task === 0 ? move : 0)));
}

function run(length: number, move: -1 | 1): (-1 | 1)[] {
  return Array.from({ length }, () => move);
}

function coin(draw: number): -1 | 0 | 1 {
  return draw < 0.15 ? -1 : draw < 0.5 ? 0 : 1;
}

function passes(moves: Moves): NextPass {
  const count = Math.max(...moves.map((row) => row.length));
  return inTurn(
    Array.from({ length: count }, (_, pass) =>
      moves.map((row, task) => {
        const move = row[pass] ?? 0;
        return { task, before: move < 0 ? 1 : 0, after: move > 0 ? 1 : 0 };
      }),
    ),
  );
}

function inTurn(columns: readonly (readonly PairResult[])[]): NextPass {
  let at = 0;
  return () => columns[at++];
}

/** Over all samples of as many tasks, drawn with replacement. */
function shareWithoutGain(gains: readonly number[]): number {
  const n = gains.length;
  let without = 0;
  for (let sample = 0; sample < n ** n; sample++) {
    let sum = 0;
    for (let at = 0, left = sample; at < n; at++, left = Math.floor(left / n)) sum += gains[left % n] ?? 0;
    without += sum <= 0 ? 1 : 0;
  }
  return without / n ** n;
}
