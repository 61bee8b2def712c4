import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import {
  canCertify,
  meetHeldOut,
  openErrorBudget,
  payCertification,
  refillByPerson,
  wholeErrorBudget,
  type ErrorBudget,
} from '../../../../src/gate/statistics/errorBudget.js';
import { chargeSharing, spentHere, type SharingSkill } from '../../../../src/gate/statistics/sharedBudget.js';

const ten = Array.from({ length: 10 }, (_, task) => `t${task}`);

describe('a held-out set that several skills share', () => {
  it('has one budget: a copy begins with what is left', () => {
    const people = new Skills();
    assert.deepEqual([people.certify('a', ten), people.certify('a', ten), people.certify('copy', ten)], [1, 1, 1]);
    assert.deepEqual([people.certify('a', ten), people.certify('copy', ten), people.certify('a', ten)], [1, 0, 0]);
    assert.deepEqual([people.certify('b', ten), people.certify('copy', ten)], [0, 0]);
  });

  it('is known by any of its tasks, in proportion, as a list that changes is', () => {
    const table: readonly (readonly [own: number, certifications: number])[] = [
      [0, 0],
      [2, 0],
      [3, 1],
      [5, 2],
      [8, 3],
      [9, 3],
      [10, 4],
    ];
    for (const [own, expected] of table) {
      const people = new Skills();
      for (let time = 0; time < 4; time += 1) people.certify('a', ten);
      const list = [...ten.slice(own), ...Array.from({ length: own }, (_, task) => `own${task}`)];
      assert.equal(people.most('b', list), expected, `${own} of ten tasks of its own`);
      const alone = new Skills();
      for (let time = 0; time < 4; time += 1) alone.certify('a', ten);
      assert.equal(alone.most('a', list), expected, 'as within one skill');
    }
  });

  it('leaves skills alone that have no task in common', () => {
    const people = new Skills();
    assert.equal(people.most('a', ten), 4);
    const list = ten.map((task) => `other ${task}`);
    assert.equal(people.most('b', list), 4);
    assert.equal('elsewhere' in people.budget('b'), false);
  });

  it('is not worn out by one task that many skills share', () => {
    const people = new Skills();
    for (let other = 0; other < 50; other += 1) {
      const list = [...ten.slice(1).map((task) => `${task} of ${other}`), 'hello'];
      assert.equal(people.most(`s${other}`, list), other === 0 ? 4 : 3);
    }
  });

  it('gives nothing back to whoever takes the other’s tasks over later', () => {
    const people = new Skills();
    assert.equal(people.most('a', ten), 4);
    const own = Array.from({ length: 19 }, (_, task) => `own${task}`);
    assert.equal(people.certify('b', [...own, 't0']), 1);
    assert.equal(people.most('b', ten), 0);
  });

  it('credits new tasks once, whichever copy meets them first', () => {
    const people = new Skills();
    assert.equal(people.most('a', ten), 4);
    assert.equal(people.most('copy', ten), 0);
    const more = [...ten, ...Array.from({ length: 10 }, (_, task) => `new${task}`)];
    assert.equal(people.most('copy', more), 2);
    assert.equal(people.most('a', more), 0);
    assert.equal(people.most('third', more), 0);
  });

  it('is refilled for one of them by the person, and what is spent then counts for the others', () => {
    const people = new Skills();
    assert.equal(people.most('a', ten), 4);
    assert.equal(people.most('copy', ten), 0);
    people.refill('copy');
    assert.equal(people.most('copy', ten), 4);
    assert.equal(people.most('a', ten), 0);
    assert.equal(people.most('third', ten), 0);
  });

  it('counts what was paid for on the simulated model in its own skill alone', () => {
    const paid = ['1', '2', '3'].reduce<ErrorBudget>(
      (budget, id) => payCertification(budget, id, { simulated: id !== '3' }) ?? budget,
      openErrorBudget(ten),
    );
    assert.deepEqual(spentHere(paid), { spent: 0.0125, certifications: 1 });
    assert.equal(paid.certifications.length, 3);
  });

  it('never pays for more certifications together than it would under one skill', () => {
    const step = fc.record({
      skill: fc.constantFrom('a', 'b', 'c'),
      added: fc.constantFrom(0, 0, 0, 1, 3, 8),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const [together, alone] = [new Skills(), new Skills()];
        let list: readonly string[] = ten;
        let [paidTogether, paidAlone] = [0, 0];
        for (const { skill, added } of steps) {
          list = [...list, ...Array.from({ length: added }, (_, task) => `new ${list.length + task}`)];
          paidTogether += together.certify(skill, list);
          paidAlone += alone.certify('a', list);
          assert.ok(paidTogether <= paidAlone, `${paidTogether} instead of ${paidAlone}`);
        }
      }),
      { numRuns: 200 },
    );
  });
});

/** The budgets of several skills of one person, as user state holds them. */
class Skills {
  readonly #budgets = new Map<string, ErrorBudget>();

  budget(skill: string): ErrorBudget {
    return this.#budgets.get(skill) ?? assert.fail(`${skill} was never certified`);
  }

  refill(skill: string): void {
    this.#budgets.set(skill, refillByPerson(this.budget(skill), { at: 'today', reason: 'mine' }));
  }

  /** 1 where a certification was paid for, 0 where the budget is empty. */
  certify(skill: string, heldOut: readonly string[]): number {
    const sharing = [...this.#budgets]
      .filter(([other]) => other !== skill)
      .map(([other, budget]): SharingSkill => ({
        skill: other,
        spent: spentHere(budget).spent,
        shared: new Set(heldOut.filter((task) => budget.knownTasks.includes(task))),
      }));
    const facts = { knownElsewhere: new Set(sharing.flatMap(({ shared }) => [...shared])) };
    const before = this.#budgets.get(skill) ?? openErrorBudget(heldOut);
    const met = meetHeldOut(chargeSharing(before, heldOut, { sharing, facts }), heldOut, facts);
    const paid = payCertification(met, `${skill} ${met.certifications.length}`);
    assert.equal(paid !== undefined, canCertify(met));
    const after = paid ?? met;
    assert.ok(after.remaining >= 0 && after.remaining <= wholeErrorBudget);
    this.#budgets.set(skill, after);
    return paid === undefined ? 0 : 1;
  }

  most(skill: string, heldOut: readonly string[]): number {
    let paid = 0;
    while (this.certify(skill, heldOut) === 1) paid += 1;
    return paid;
  }
}
