import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { addPass, startCertification } from '../../../../src/gate/statistics/certification.js';
import type { CertificationSubject } from '../../../../src/engine/runContext.js';
import { resolveOptions } from '../../../../src/engine/runOptions.js';
import type { SkillStore } from '../../../../src/storage/state/store.js';
import {
  certificationRecord,
  certificationsOf,
  conditionsOf,
  isWaiting,
  type CertificationConditions,
} from '../../../../src/app/runs/certificationStore.js';
import { aMachine, aStore, calm, scrapMachines } from '../../../builders/storage.js';
import { ScriptedModel } from '../../../fakes/ScriptedModel.js';

const tasks = ['a', 'b', 'c', 'd', 'e', 'f'];
const begun = { state: startCertification({ n: tasks.length, grid: 1 }), answers: {} };
const ended = { ...begun, state: addPass(begun.state, tied()) };

describe('certifications in user state', () => {
  let store: SkillStore;
  beforeEach(async () => {
    store = await aStore(await aMachine());
  });
  after(scrapMachines);

  it('go on under the same id, unpaid, while they are open', async () => {
    const first = await opened(subject('x'), 'run-1');
    await certifications('run-1').save(first.id, begun);
    const second = await opened(subject('x'), 'run-2');
    assert.equal(second.id, first.id);
    assert.deepEqual(second.stored, begun);
    assert.equal(await paid(), 1);
  });

  it('are given back to the run that began them also when they have ended', async () => {
    const first = await opened(subject('x'), 'run-1');
    await certifications('run-1').save(first.id, ended);
    const again = await opened(subject('x'), 'run-1');
    assert.deepEqual([again.id, again.stored.state.decision.kind], [first.id, 'rejected']);
    assert.equal(await paid(), 1);
  });

  it('are new and paid for where another run asks after the end', async () => {
    const first = await opened(subject('x'), 'run-1');
    await certifications('run-1').save(first.id, ended);
    const second = await opened(subject('x'), 'run-2');
    assert.notEqual(second.id, first.id);
    assert.deepEqual(second.stored, begun);
    assert.equal(await paid(), 2);
  });

  const others: readonly (readonly [string, Partial<CertificationSubject>, Partial<CertificationConditions>])[] = [
    ['another candidate', { candidateHash: 'y' }, {}],
    ['another original', { originalHash: 'other' }, {}],
    ['other held-out tasks', { heldOut: [...tasks, 'g'] }, {}],
    ['another target', {}, { target: 'other' }],
    ['another judge', {}, { judge: 'other' }],
    ['another metric', {}, { metric: 'soft' }],
    ['another weight', {}, { mixedWeight: 0.7 }],
    ['other repeats of the judge', {}, { judgeRepeats: 3 }],
  ];
  for (const [name, what, under] of others) {
    it(`are not mixed with those of ${name}`, async () => {
      const first = await opened(subject('x'), 'run-1');
      await certifications('run-1').save(first.id, begun);
      const second = await opened({ ...subject('x'), ...what }, 'run-1', { ...conditions, ...under });
      assert.notEqual(second.id, first.id);
      assert.equal(await paid(), 2);
    });
  }

  it('wait until they have ended', async () => {
    assert.equal(await isWaiting(store, subject('x'), conditions), false);
    const { id } = await opened(subject('x'), 'run-1');
    assert.equal(await isWaiting(store, subject('x'), conditions), true);
    await certifications('run-1').save(id, ended);
    assert.equal(await isWaiting(store, subject('x'), conditions), false);
  });

  it('keep answers that are missing on one side', async () => {
    const { id } = await opened(subject('x'), 'run-1');
    await certifications('run-1').save(id, { ...begun, answers: { a: [undefined, 'hash'] } });
    assert.deepEqual((await opened(subject('x'), 'run-1')).stored.answers, { a: [undefined, 'hash'] });
  });

  it('are refused where the budget is empty, with what is known of it', async () => {
    for (const candidate of ['1', '2', '3', '4']) await opened(subject(candidate), 'run-1');
    const fifth = await certifications('run-1').open(subject('5'), begun);
    assert.ok(fifth.kind === 'budget-empty');
    assert.equal(fifth.budget.certifications.length, 4);
  });

  it('are forgotten after twenty, but never what was paid for them', async () => {
    for (let at = 0; at < 25; at++) {
      await certificationRecord(store).update((before) => {
        if (before === undefined) return { budget: { ...empty, remaining: 0.05 }, begun: [] };
        return { ...before, budget: { ...before.budget, remaining: 0.05 } };
      }, calm);
      await opened(subject(`candidate ${at}`), 'run-1');
    }
    const reading = await certificationRecord(store).read();
    assert.ok(reading.kind === 'verified');
    assert.deepEqual([reading.body.begun.length, reading.body.budget.certifications.length], [20, 25]);
  });

  it('are not opened from a record that was tampered with', async () => {
    await opened(subject('x'), 'run-1');
    const folder = path.join(store.places.userState, 'certifications');
    const [file = ''] = await readdir(folder);
    const text = await readFile(path.join(folder, file), 'utf8');
    await writeFile(path.join(folder, file), text.replace(/"remaining": ?[\d.]+/, '"remaining":0.05'));
    await assert.rejects(() => certifications('run-1').open(subject('y'), begun));
  });

  const conditions = conditionsOf(
    { target: new ScriptedModel(), optimizer: new ScriptedModel(), judge: new ScriptedModel() },
    resolveOptions('standard', []),
  );
  const empty = { remaining: 0, knownTasks: [], certifications: [], refills: [] };

  function certifications(run: string, under: CertificationConditions = conditions) {
    return certificationsOf(store, { run, under }, calm);
  }

  async function opened(what: CertificationSubject, run: string, under?: CertificationConditions) {
    const answer = await certifications(run, under).open(what, begun);
    return answer.kind === 'open' ? answer : assert.fail('the budget is empty');
  }

  async function paid(): Promise<number> {
    const reading = await certificationRecord(store).read();
    return reading.kind === 'verified' ? reading.body.budget.certifications.length : assert.fail(reading.kind);
  }
});

function subject(candidateHash: string): CertificationSubject {
  return { originalHash: 'original', candidateHash, heldOut: tasks };
}

function tied() {
  return tasks.map((_, task) => ({ task, before: 1, after: 1 }));
}
