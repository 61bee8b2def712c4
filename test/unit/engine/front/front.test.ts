import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { originalCandidate } from '../../../../src/engine/candidate.js';
import { choiceRules, costMeasures, type ChoiceRule } from '../../../../src/engine/front/choiceOptions.js';
import {
  bestOn,
  chooseBy,
  drawParent,
  frontOf,
  outcomeOn,
  scoreAmong,
  type MeasuredCandidate,
} from '../../../../src/engine/front/front.js';
import { randomFor } from '../../../../src/engine/random.js';

const runs = process.env['WHETSTONE_FULL'] === '1' ? 2_000 : 100;

describe('the front of candidates', () => {
  const rows: readonly { readonly name: string; readonly all: readonly MeasuredCandidate[]; readonly stay: string }[] =
    [
      { name: 'keeps one that is the best on a single task', all: [a('a', [1, 1, 0]), a('b', [0, 0, 1])], stay: 'a b' },
      {
        name: 'drops one that another is better than on a task and nowhere worse',
        all: [a('a', [1, 0]), a('b', [1, 1])],
        stay: 'b',
      },
      { name: 'keeps the shorter of two that are equal', all: [a('aaaa', [1, 1]), a('b', [1, 1])], stay: 'b' },
      { name: 'keeps the earlier of two that are equal and as long', all: [a('a', [1, 1]), a('b', [1, 1])], stay: 'a' },
      {
        name: 'keeps one that scores lower and costs less',
        all: [a('aaaa', [1, 1], 9), a('b', [1, 0], 3)],
        stay: 'aaaa b',
      },
      { name: 'drops one that costs more for the same', all: [a('a', [1, 1], 9), a('bbbb', [1, 1], 3)], stay: 'bbbb' },
      {
        name: 'lets a measure that nobody took tell nothing',
        all: [a('a', [1, 1], 'unmeasured'), a('bbbb', [1, 0], 3)],
        stay: 'a',
      },
      {
        name: 'keeps the shortest of three that would each be beaten by the next where a figure is missing',
        all: [a('aaa', [1], 1), a('bb', [1], 'unmeasured'), a('c', [1], 2)],
        stay: 'c',
      },
      {
        name: 'drops nothing on a task that the other has no score for',
        all: [a('a', [1]), a('bbbb', [1, 0])],
        stay: 'a bbbb',
      },
    ];
  for (const { name, all, stay } of rows)
    it(name, () => assert.equal(frontOf(all, ['answer-tokens']).map(textOf).join(' '), stay));

  it('is never empty, has no member that another beats, and beats whatever is not on it', () => {
    fc.assert(
      fc.property(candidates, (all) => {
        const front = frontOf(all, costMeasures);
        assert.ok(front.length > 0);
        const known = costMeasures.filter((measure) => all.every(({ costs }) => costs[measure] !== undefined));
        assert.deepEqual(frontOf(front, known), front);
        for (const left of all.filter((each) => !front.includes(each)))
          assert.ok(frontOf([...front, left], known).every((each) => each !== left));
        for (const each of all) {
          const alone = bestOn(each, all).some((task) =>
            all.every((other) => other === each || (other.scores.get(task) ?? 0) < (each.scores.get(task) ?? 0)),
          );
          if (alone) assert.ok(front.includes(each), 'the only best on a task dropped out');
        }
      }),
      { numRuns: runs },
    );
  });

  it('gives parents that are the best on some task, the same for the same seed', () => {
    fc.assert(
      fc.property(candidates, fc.integer(), (all, seed) => {
        const front = frontOf(all, ['skill-tokens']);
        const parent = drawParent(front, randomFor('parent', seed, 1));
        assert.ok(parent !== undefined && front.includes(parent));
        assert.equal(drawParent(front, randomFor('parent', seed, 1)), parent);
        const best = front.some((each) => bestOn(each, front).length > 0);
        if (best) assert.ok(bestOn(parent, front).length > 0);
      }),
      { numRuns: runs },
    );
  });
});

describe('the rule of choice', () => {
  const original = a('0123456789', [1, 0], 5);
  const longBest = a('0123456789 longer', [1, 1], 5);
  const cheapBest = a('0123456789 longest of all', [1, 1], 2);
  const shorter = a('0123', [1, 0], 5);
  const wishes: Readonly<Record<ChoiceRule, MeasuredCandidate>> = {
    score: longBest,
    'shortest-not-worse': shorter,
    'cheapest-at-best-score': cheapBest,
    'fastest-at-best-score': longBest,
  };
  for (const rule of choiceRules)
    it(`${rule} names one`, () =>
      assert.equal(textOf(chooseBy(rule, [original, shorter, longBest, cheapBest])), textOf(wishes[rule])));

  it('gives ties to the shorter skill', () => {
    const same = a('0123456789 lon', [1, 1], 5);
    assert.equal(chooseBy('score', [original, longBest, same]), same);
  });

  it('stays with the original where nothing could be certified: equal and longer, or lower', () => {
    assert.equal(chooseBy('score', [original, a('0123456789 x', [1, 0], 1), a('0', [0, 0])]), original);
  });

  it('never names one that scores lower than the original, nor a longer one that scores the same', () => {
    fc.assert(
      fc.property(candidates, fc.constantFrom(...choiceRules), (all, rule) => {
        const [first, ...rest] = all;
        if (first === undefined) return;
        const chosen = chooseBy(rule, [first, ...rest]);
        if (chosen === first) return;
        const outcome = outcomeOn(first, chosen);
        assert.ok(outcome === 'higher' || (outcome === 'equal' && textOf(chosen).length < textOf(first).length));
        if (rule !== 'score') return;
        const most = Math.max(
          ...rest.filter((each) => outcomeOn(first, each) === 'higher').map((each) => scoreAmong(each, all).score ?? 0),
          0,
        );
        assert.ok((scoreAmong(chosen, all).score ?? 0) >= most - 1e-9);
      }),
      { numRuns: runs },
    );
  });
});

const candidates = fc
  .array(
    fc.record({
      length: fc.integer({ min: 1, max: 9 }),
      scores: fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 4, maxLength: 4 }),
      tokens: fc.option(fc.integer({ min: 1, max: 4 }), { nil: 'unmeasured' as const }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((rows) => rows.map(({ length, scores, tokens }, at) => a('x'.repeat(length) + at, scores, tokens)));

function a(text: string, scores: readonly number[], tokens: number | 'unmeasured' = 5): MeasuredCandidate {
  const answerTokens = tokens === 'unmeasured' ? undefined : tokens;
  return {
    candidate: originalCandidate(text),
    scores: new Map(scores.map((score, at) => [`task-${at}`, score])),
    costs: { 'skill-tokens': text.length, 'answer-tokens': answerTokens, 'answer-time': undefined },
  };
}

function textOf({ candidate }: MeasuredCandidate): string {
  return candidate.text;
}
