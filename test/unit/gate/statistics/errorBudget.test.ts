import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import {
  canCertify,
  meetHeldOut,
  newTasksToCertify,
  openErrorBudget,
  payCertification,
  refillByPerson,
  wholeErrorBudget,
  type ErrorBudget,
} from '../../../../src/gate/statistics/errorBudget.js';

const eight = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

describe('the error budget', () => {
  it('pays for four certifications and then for none', () => {
    const spent = payAll(openErrorBudget(eight), 9);
    assert.equal(spent.certifications.length, 4);
    assert.equal(canCertify(spent), false);
    assert.ok(spent.remaining < 1e-12);
  });

  it('charges a certification once, however often it is resumed', () => {
    const once = pay(openErrorBudget(eight), 'first');
    assert.deepEqual(pay(once, 'first'), once);
    const spent = payAll(once, 9);
    assert.deepEqual(payCertification(spent, 'first'), spent, 'a paid one may go on with an empty budget');
  });

  it('is refilled by the share of tasks that are new', () => {
    const spent = payAll(openErrorBudget(eight), 4);
    const met = meetHeldOut(spent, [...eight, 'new 1', 'new 2']);
    assert.ok(Math.abs(met.remaining - 0.05 * 0.2) < 1e-12);
    assert.deepEqual(
      met.refills.map(({ kind }) => kind),
      ['new-tasks'],
    );
  });

  it('is not refilled by tasks that come back, or by a hash twice', () => {
    const spent = payAll(openErrorBudget(eight), 4);
    const without = meetHeldOut(spent, eight.slice(4));
    assert.equal(meetHeldOut(without, [...eight, ...eight]), without);
  });

  it('is full again with an all new held-out set', () => {
    const spent = payAll(openErrorBudget(eight), 4);
    assert.equal(meetHeldOut(spent, ['p', 'q', 'r', 's', 't']).remaining, wholeErrorBudget);
  });

  it('keeps the person’s decision to refill on the record', () => {
    const refilled = refillByPerson(payAll(openErrorBudget(eight), 4), {
      at: '2026-01-02T03:04:05Z',
      reason: 'new model',
    });
    assert.equal(refilled.remaining, wholeErrorBudget);
    assert.deepEqual(refilled.refills, [
      { kind: 'person', amount: wholeErrorBudget, at: '2026-01-02T03:04:05Z', reason: 'new model' },
    ]);
    assert.equal(refilled.certifications.length, 4);
  });

  it('takes a task with the words of a known one for known, also one that left, and learns it', () => {
    const texts = new Map([
      ...eight.map((hash) => [hash, `words of ${hash}`] as const),
      ...eight.map((hash) => [`${hash}!`, `words of ${hash}`] as const),
      ['new', 'words of new'] as const,
    ]);
    const spent = payAll(meetHeldOut(openErrorBudget(eight), eight, { texts }), 4);
    const disguised = eight.map((hash) => `${hash}!`);
    const met = meetHeldOut(spent, disguised, { texts });
    assert.deepEqual([met.remaining, met.refills], [spent.remaining, []]);
    assert.deepEqual(met.knownTasks, [...eight, ...disguised]);
    const more = meetHeldOut(spent, [...disguised, 'new'], { texts });
    assert.deepEqual(
      more.refills.map((refill) => refill.kind === 'new-tasks' && [refill.newTasks, refill.allTasks]),
      [[1, 9]],
    );
  });

  it('of an earlier version, which knows no words, learns them of the tasks that it meets', () => {
    const [first = ''] = eight;
    const texts = new Map([
      [first, 'the words'],
      ['the same', 'the words'],
    ]);
    const spent = payAll(openErrorBudget(eight), 4);
    assert.equal(spent.knownTexts, undefined);
    const met = meetHeldOut(spent, eight, { texts });
    assert.deepEqual([met.knownTexts, met.knownTasks, met.refills], [['the words'], eight, []]);
    assert.equal(meetHeldOut(met, eight, { texts }), met);
    assert.deepEqual(meetHeldOut(met, ['the same'], { texts }).refills, []);
    assert.deepEqual(meetHeldOut(spent, [...eight, 'the same'], { texts }).refills, [], 'met beside the known one');
  });

  it('is JSON', () => {
    const budget = meetHeldOut(payAll(openErrorBudget(eight), 2), [...eight, 'new']);
    assert.deepEqual(JSON.parse(JSON.stringify(budget)), budget);
  });

  it('says how many new tasks would pay for the next certification, and no fewer would', () => {
    for (const paid of [0, 1, 4]) {
      for (const tasks of [5, 8, 20, 41]) {
        const known = Array.from({ length: tasks }, (_, task) => `known ${task}`);
        const budget = payAll(openErrorBudget(known), paid);
        const needed = newTasksToCertify(budget, tasks);
        assert.equal(canCertify(meetHeldOut(budget, [...known, ...fresh(needed)])), true);
        if (needed > 0) assert.equal(canCertify(meetHeldOut(budget, [...known, ...fresh(needed - 1)])), false);
      }
    }
  });

  it('never holds more than the whole, never less than nothing, and spends what it was refilled with at most', () => {
    const night = fc.record({ newTasks: fc.nat(6), certify: fc.boolean() });
    fc.assert(
      fc.property(fc.array(night, { maxLength: 40 }), (nights) => {
        let tasks = [...eight];
        let budget = openErrorBudget(tasks);
        for (const [at, { newTasks, certify }] of nights.entries()) {
          tasks = [...tasks, ...fresh(newTasks).map((hash) => `${hash} of night ${at}`)];
          budget = meetHeldOut(budget, tasks);
          if (certify) budget = payCertification(budget, `night ${at}`) ?? budget;
          assert.ok(budget.remaining >= 0 && budget.remaining <= wholeErrorBudget);
        }
        const spent = budget.certifications.reduce((sum, { alpha }) => sum + alpha, 0);
        const refilled = budget.refills.reduce((sum, { amount }) => sum + amount, 0);
        assert.ok(spent <= wholeErrorBudget + refilled + 1e-9);
      }),
      { seed: 7, numRuns: 100 },
    );
  });
});

function pay(budget: ErrorBudget, id: string): ErrorBudget {
  return payCertification(budget, id) ?? assert.fail('the budget is empty');
}

function payAll(budget: ErrorBudget, times: number): ErrorBudget {
  return Array.from({ length: times }, (_, at) => `certification ${at}`).reduce(
    (current, id) => payCertification(current, id) ?? current,
    budget,
  );
}

function fresh(count: number): readonly string[] {
  return Array.from({ length: count }, (_, task) => `fresh ${task}`);
}
