import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { addPass, startCertification } from '../../../../src/gate/statistics/certification.js';
import type { CertificationSubject, Certifications, StoredCertification } from '../../../../src/engine/runContext.js';
import { resolveOptions } from '../../../../src/engine/runOptions.js';
import type { SkillStore } from '../../../../src/storage/state/store.js';
import {
  certificationsOf,
  conditionsOf,
  isWaiting,
  type CertificationConditions,
  writeBehindCertifications,
} from '../../../../src/app/runs/certificationStore.js';
import { skillCertifications } from '../../../../src/app/runs/certifications/skillCertifications.js';
import { aMachine, aStore, neverAborted, scrapMachines } from '../../../builders/storage.js';
import { ScriptedModel } from '../../../fakes/ScriptedModel.js';
import { setTimeout as wait } from 'node:timers/promises';
import { MemoryCertifications } from '../../../fakes/MemoryCertifications.js';

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

  it('are given to another run where the one that began them was killed before it said how they ended', async () => {
    const first = await opened(subject('x'), 'run-1');
    await certifications('run-1').save(first.id, ended);
    const next = { run: 'run-2', under: conditions, cutOff: () => Promise.resolve(new Set(['run-1'])) };
    const second = await certificationsOf(store, next, neverAborted).open(subject('x'), begun);
    assert.ok(second.kind === 'open');
    assert.deepEqual([second.id, second.stored.state.decision.kind], [first.id, 'rejected']);
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
      await skillCertifications(store).update((before) => {
        if (before === undefined) return { budget: { ...empty, remaining: 0.05 }, begun: [] };
        return { ...before, budget: { ...before.budget, remaining: 0.05 } };
      }, neverAborted);
      await opened(subject(`candidate ${at}`), 'run-1');
    }
    const reading = await skillCertifications(store).read();
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
    return certificationsOf(store, { run, under }, neverAborted);
  }

  async function opened(what: CertificationSubject, run: string, under?: CertificationConditions) {
    const answer = await certifications(run, under).open(what, begun);
    return answer.kind === 'open' ? answer : assert.fail('the budget is empty');
  }

  async function paid(): Promise<number> {
    const reading = await skillCertifications(store).read();
    return reading.kind === 'verified' ? reading.body.budget.certifications.length : assert.fail(reading.kind);
  }
});

function subject(candidateHash: string): CertificationSubject {
  return { originalHash: 'original', candidateHash, heldOut: tasks };
}

function tied() {
  return tasks.map((_, task) => ({ task, before: 1, after: 1 }));
}

const first: StoredCertification = { state: startCertification({ n: 6, grid: 1 }), answers: {} };
const about = { originalHash: 'before', candidateHash: 'after', heldOut: ['a', 'b', 'c', 'd', 'e', 'f'] };

describe('certifications whose passes are stored beside the work', () => {
  it('do not keep the run waiting, and are stored in order', async () => {
    const memory = new MemoryCertifications();
    const later = writeBehindCertifications(slow(memory));
    await later.save('id', { ...first, answers: { a: ['1', undefined] } });
    await later.save('id', { ...first, answers: { a: ['2', undefined] } });
    assert.equal(memory.stored.size, 0);
    await later.settled();
    assert.deepEqual(memory.stored.get('id')?.answers, { a: ['2', undefined] });
  });

  it('are opened as the last pass left them', async () => {
    const later = writeBehindCertifications(slow(new MemoryCertifications()));
    const opened = await later.open(about, first);
    assert.ok(opened.kind === 'open');
    await later.save(opened.id, { ...first, answers: { a: ['1', '2'] } });
    const again = await later.open(about, first);
    assert.deepEqual(again.kind === 'open' && again.stored.answers, { a: ['1', '2'] });
  });

  it('say at the end where a pass could not be stored', async () => {
    const memory = new MemoryCertifications();
    const later = writeBehindCertifications({
      open: (what, stored) => memory.open(what, stored),
      save: () => Promise.reject(new Error('the disk is full')),
    });
    await later.save('id', first);
    await wait(1);
    await assert.rejects(later.settled(), /the disk is full/);
    await assert.rejects(later.open(about, first), /the disk is full/);
  });
});

function slow(memory: MemoryCertifications): Certifications {
  return {
    open: (what, stored) => memory.open(what, stored),
    save: async (id, stored) => {
      await wait(2);
      await memory.save(id, stored);
    },
  };
}
