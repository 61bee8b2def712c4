import assert from 'node:assert/strict';
import { say } from '../builders/aRunContext.js';
import { few, inFull } from '../builders/few.js';
import {
  aCertificationWorld,
  sampleOf,
  skillText,
  type CertificationWorld,
  type TaskRow,
  type WorldParts,
} from './certificationWorld.js';

const worlds: CertificationWorld[] = [];

describe('the error budget of a skill', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  it('is spent by every certification, over runs, nights and measurements', async () => {
    const world = aWorld();
    await world.optimize();
    assert.deepEqual(await spent(world), [1, 0.0375]);
    await world.optimize({}, { purpose: 'night' });
    assert.deepEqual(await spent(world), [2, 0.025]);
    await world.measure(skillText, `${skillText}\nBe kind.\n`);
    assert.deepEqual(await spent(world), [3, 0.0125]);
  });

  it('is empty after four, and then nothing is certified: inconclusive, with the cure', async () => {
    const world = aWorld();
    await exhaust(world);
    const { result, asked } = await world.optimize();
    const verdict = result.proposal?.verdict;
    assert.ok(verdict?.kind === 'inconclusive');
    assert.equal(verdict.cause, 'error-budget-empty');
    assert.equal(verdict.cure, '2 new held-out tasks, or your recorded decision to start the budget afresh.');
    assert.deepEqual(asked.filter(certifies), []);
  });

  it('is refilled by new held-out tasks, in proportion, and those of before count only once', async () => {
    const world = aWorld();
    await exhaust(world);
    world.addHeldOut(2);
    const { result } = await world.optimize();
    assert.equal(result.proposal?.verdict.kind, 'accepted');
    const { budget } = await world.record();
    assert.ok(Math.abs(budget.remaining - ((0.05 * 2) / 8 - 0.0125)) < 1e-12);
    assert.deepEqual(
      budget.refills.map((refill) => refill.kind === 'new-tasks' && [refill.newTasks, refill.allTasks]),
      [[2, 8]],
    );
    const again = await world.optimize();
    assert.equal(again.result.proposal?.verdict.kind, 'inconclusive', 'the two tasks are no longer new');
  });

  const disguises: readonly (readonly [string, (row: TaskRow) => TaskRow])[] = [
    ['a space at the end', (row) => ({ ...row, prompt: `${row.prompt} ` })],
    ['another mark', (row) => ({ ...row, prompt: `${row.prompt}!` })],
    ['capitals', (row) => ({ ...row, prompt: row.prompt.toUpperCase() })],
    ['what nobody sees', (row) => ({ ...row, prompt: row.prompt.replaceAll('e', 'e\u200B') })],
    ['another name as well', (row) => ({ ...row, id: `new-${row.id}`, prompt: `${row.prompt} ` })],
  ];
  for (const [name, disguise] of few(disguises)) {
    it(`is not refilled by the same held-out tasks with ${name}`, async () => {
      const world = aWorld();
      await exhaust(world);
      world.rewriteTasks((row) => (row.split === 'heldOut' ? disguise(row) : row));
      const { result } = await world.optimize();
      assert.equal(result.proposal?.verdict.kind, 'inconclusive');
      assert.deepEqual(await spent(world), [4, 0]);
      assert.deepEqual((await world.record()).budget.refills, []);
    });
  }

  it('is not refilled by a copy of the repository, and the copy names who spent it', async () => {
    const world = aWorld();
    await exhaust(world);
    const copy = aWorld({ sameUser: world });
    const { result, asked } = await copy.optimize();
    const verdict = result.proposal?.verdict;
    assert.ok(verdict?.kind === 'inconclusive');
    assert.equal(verdict.cause, 'error-budget-empty');
    assert.equal(
      verdict.reason,
      'Undecided: 4 certifications used up the error budget of these held-out tasks, 4 of them on the same tasks under “workspace/skills/words/SKILL.md”.',
    );
    assert.deepEqual(asked.filter(certifies), []);
    assert.deepEqual(await spent(copy), [0, 0]);
    await copy.refill('I know what I do.');
    assert.equal((await copy.gather()).result.proposal?.verdict.kind, 'accepted');
  });

  it('is told before a run where it is empty, also of a copy, with what settles it', async () => {
    const world = aWorld();
    assert.equal((await world.preflight()).emptyBudget, undefined);
    await exhaust(world);
    const told = await world.preflight();
    assert.equal(
      told.power,
      'This run can prove nothing: 4 certifications used up the error budget of these held-out tasks. What settles it, before the run or for its proposal afterwards: 2 new held-out tasks, or your recorded decision to start the budget afresh.',
    );
    assert.deepEqual([told.powerless, told.emptyBudget], [told.power, true]);
    const copy = await aWorld({ sameUser: world }).preflight();
    assert.match(copy.power, /^This run can prove nothing: 4 certifications .*, 4 of them on the same tasks under “/);
    assert.doesNotMatch((await world.preflight({ gate: { rule: 'strict' } })).power, /error budget/);
    world.addHeldOut(2);
    assert.match((await world.preflight()).power, /^With 8 held-out tasks/);
  });

  // A refill has its case below, a copy that knows of it above.
  inFull('is refilled by the person before the first run of a copy too', async () => {
    const world = aWorld();
    await exhaust(world);
    const copy = aWorld({ sameUser: world });
    await copy.refill('I know what I do.');
    assert.equal((await copy.preflight()).emptyBudget, undefined);
    assert.equal((await copy.optimize()).result.proposal?.verdict.kind, 'accepted');
  });

  it('is refilled by the person, whose reason is written down, and the waiting proposal can be certified', async () => {
    const world = aWorld();
    await exhaust(world);
    await world.optimize();
    await world.refill('The tasks are good, and I know what I do.');
    const { budget } = await world.record();
    const [refill] = budget.refills;
    assert.ok(refill?.kind === 'person');
    assert.equal(refill.reason, 'The tasks are good, and I know what I do.');
    assert.match(refill.at, /^\d{4}-\d\d-\d\dT/);
    const { result } = await world.gather();
    assert.equal(result.proposal?.verdict.kind, 'accepted');
    assert.deepEqual(await spent(world), [5, 0.0375]);
  });

  it('pays for the same texts again after a rejection, and attempts them afresh', async () => {
    const world = aWorld();
    const kinder = `${skillText}\nBe kind.\n`;
    const first = await world.measure(skillText, kinder);
    const second = await world.measure(skillText, kinder);
    assert.deepEqual([first.verdict.kind, second.verdict.kind], ['rejected', 'rejected']);
    assert.deepEqual(await spent(world), [2, 0.025]);
    assert.equal(second.asked.length, first.asked.length, 'nothing of the first one is used again');
    const before = new Set(first.asked.map(sampleOf));
    assert.ok(second.asked.every((request) => !before.has(sampleOf(request))));
  });
});

function aWorld(parts: WorldParts = {}): CertificationWorld {
  const world = aCertificationWorld({ edits: [say('alpha')], ...parts });
  worlds.push(world);
  return world;
}

async function exhaust(world: CertificationWorld): Promise<void> {
  for (const word of ['one', 'two', 'three', 'four'])
    await world.measure(skillText, `${skillText}\nBe kind ${word}.\n`);
  assert.deepEqual(await spent(world), [4, 0]);
}

async function spent(world: CertificationWorld): Promise<readonly [number, number]> {
  const { budget } = await world.record();
  return [budget.certifications.length, Math.round(budget.remaining * 1e6) / 1e6];
}

function certifies(request: Parameters<typeof sampleOf>[0]): boolean {
  return request.dependsOn?.some((part) => part.startsWith('certification:')) === true;
}
