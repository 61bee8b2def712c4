import assert from 'node:assert/strict';
import { passRates, typeBuckets, typeFigures } from '../../../../src/engine/journal/taskFigures.js';
import { anAttemptAt } from '../../../builders/runEvents.js';

const typeOf = (id: string): string => ({ a: 'dates', b: 'dates', c: 'names' })[id] ?? '';
const tried = (id: string, hard: number) => anAttemptAt('rollout', 1, { of: 'skill', at: id, hard });

describe('the pass rate of training tasks', () => {
  it('is the share of the attempts that passed, the hardest task first', () => {
    const rates = passRates(
      [
        tried('a', 1),
        tried('a', 0),
        tried('c', 0),
        tried('b', 1),
        anAttemptAt('certify', 0, { of: 'x', at: 'h', hard: 1 }),
      ],
      typeOf,
    );
    assert.deepEqual(rates, [
      { id: 'c', type: 'names', attempts: 1, passed: 0, rate: 0 },
      { id: 'a', type: 'dates', attempts: 2, passed: 1, rate: 0.5 },
      { id: 'b', type: 'dates', attempts: 1, passed: 1, rate: 1 },
    ]);
  });

  it('counts no attempt without a result', () => {
    const lost = { ...tried('a', 1), outcome: { kind: 'invalid', reason: 'gone' } as const };
    assert.deepEqual(passRates([lost], typeOf), []);
  });
});

describe('figures by type of task', () => {
  it('are sums under the names of the paper’s trainer, all together last', () => {
    const share = { ...tried('a', 0), outcome: { kind: 'scored', hard: 0, soft: 0.5, givenHard: 0.25 } as const };
    assert.deepEqual(typeBuckets([share, tried('b', 1), tried('x', 1)], typeOf), {
      dates: { total: 2, hard: 1.25, soft: 1.5 },
      other: { total: 1, hard: 1, soft: 1 },
      overall: { total: 3, hard: 2.25, soft: 2.5 },
    });
  });

  it('tell each side before and after, and nothing where all tasks are of one type', () => {
    const none = { before: [], after: [] };
    const heldOut = { before: [tried('a', 0), tried('b', 1)], after: [tried('a', 1), tried('b', 1)] };
    const sides = { training: [tried('c', 1)], heldOut, sealed: none };
    assert.deepEqual(typeFigures(sides, typeOf), [
      {
        type: 'dates',
        training: undefined,
        heldOut: { before: { n: 2, share: 0.5 }, after: { n: 2, share: 1 } },
        sealed: undefined,
      },
      { type: 'names', training: { n: 1, share: 1 }, heldOut: undefined, sealed: undefined },
    ]);
    assert.deepEqual(typeFigures({ ...sides, training: [] }, typeOf), []);
  });
});
