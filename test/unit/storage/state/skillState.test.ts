import assert from 'node:assert/strict';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { allow, isAllowed, rememberedConsent } from '../../../../src/storage/state/consents.js';
import { nodeClock } from '../../../../src/storage/files/nodeAdapters.js';
import { rejectedEditsOf } from '../../../../src/storage/proposals/rejectedEdits.js';
import { skillState } from '../../../../src/storage/state/skillState.js';
import { readSplit, writeSplit } from '../../../../src/storage/state/splitStore.js';
import type { SkillStore } from '../../../../src/storage/state/store.js';
import { aMachine, aStore, neverAborted, scrapMachines } from '../../../builders/storage.js';

const budgetOf = (store: SkillStore) => skillState(store, 'certifications', z.object({ remaining: z.number() }));

describe('the state of a skill, such as its error budget,', () => {
  after(scrapMachines);

  it('is kept in user state and follows the skill when it moves', async () => {
    const machine = await aMachine();
    await budgetOf(await aStore(machine)).update(() => ({ remaining: 0.0375 }), neverAborted);
    const skillPath = path.join(machine.workspace, 'moved', 'SKILL.md');
    await mkdir(path.dirname(skillPath));
    await rename(machine.skillPath, skillPath);
    const budget = budgetOf(await aStore(machine, { request: { skillPath } }));
    assert.deepEqual(await budget.read(), { kind: 'verified', body: { remaining: 0.0375 } });
  });

  it('is spent by each of many at once', async () => {
    const store = await aStore(await aMachine(), { clock: nodeClock });
    const spend = () => budgetOf(store).update((before) => ({ remaining: (before?.remaining ?? 8) - 1 }), neverAborted);
    await Promise.all(Array.from({ length: 8 }, spend));
    assert.deepEqual(await budgetOf(store).read(), { kind: 'verified', body: { remaining: 0 } });
  });

  for (const damage of ['{"format":"whetstone-certifications","version":1,"remaining":0.05}', '{', '']) {
    it(`is not full again because its file was replaced by “${damage}”`, async () => {
      const store = await aStore(await aMachine());
      const budget = budgetOf(store);
      await budget.update(() => ({ remaining: 0 }), neverAborted);
      await writeFile(path.join(store.folder, 'certifications', `${store.places.skillId}.json`), damage);
      assert.notEqual((await budget.read()).kind, 'verified');
      await assert.rejects(
        budget.update(() => ({ remaining: 0.05 }), neverAborted),
        { code: 'made-elsewhere' },
      );
    });
  }

  it('is not written again when nothing changed', async () => {
    const store = await aStore(await aMachine());
    const budget = budgetOf(store);
    await budget.update(() => ({ remaining: 1 }), neverAborted);
    const file = path.join(store.folder, 'certifications', `${store.places.skillId}.json`);
    const before = await readFile(file);
    await budget.update((same) => same ?? { remaining: 0 }, neverAborted);
    assert.deepEqual(await readFile(file), before);
  });
});

describe('the edits of a skill that were not taken', () => {
  after(scrapMachines);

  it('holds a rejected edit once, and keeps skills apart', async () => {
    const machine = await aMachine();
    const edits = rejectedEditsOf(await aStore(machine));
    await edits.add([{ op: 'append', content: 'x', reason: '' }], neverAborted);
    await edits.add(
      [
        { content: 'x', op: 'append', reason: '' },
        { op: 'append', content: 'y', reason: '' },
      ],
      neverAborted,
    );
    assert.equal((await edits.all()).length, 2);
    const other = path.join(machine.workspace, 'OTHER.md');
    await writeFile(other, 'other');
    assert.deepEqual(await rejectedEditsOf(await aStore(machine, { request: { skillPath: other } })).all(), []);
  });

  it('holds the reason that was given last, and forgets an edit that was taken back', async () => {
    const edits = rejectedEditsOf(await aStore(await aMachine()));
    await edits.add([{ op: 'append', content: 'x', reason: 'the person rejected it' }], neverAborted);
    await edits.add([{ op: 'append', content: 'x', reason: 'too long' }], neverAborted);
    await edits.add([{ op: 'append', content: 'y', reason: 'wrong' }], neverAborted);
    assert.deepEqual(
      (await edits.all()).map(({ content, reason }) => [content, reason]),
      [
        ['x', 'too long'],
        ['y', 'wrong'],
      ],
    );
    await edits.remove([{ op: 'append', content: 'x', reason: '' }], neverAborted);
    assert.deepEqual(
      (await edits.all()).map(({ content }) => content),
      ['y'],
    );
  });

  it('holds what a person rejected for good, though it was later only not shown to help', async () => {
    const edits = rejectedEditsOf(await aStore(await aMachine()));
    const [x, y] = ['x', 'y'].map((content) => ({ op: 'append', content, reason: 'no gain', notShownOn: ['k'] }));
    assert.ok(x !== undefined && y !== undefined);
    await edits.add([{ op: 'append', content: 'x', reason: 'the person rejected it' }], neverAborted);
    await edits.add([x, y], neverAborted);
    await edits.add([y], neverAborted);
    assert.deepEqual(
      (await edits.all()).map(({ content, notShownOn }) => [content, notShownOn]),
      [
        ['x', undefined],
        ['y', ['k']],
      ],
    );
    await edits.add([{ op: 'append', content: 'y', reason: 'the person rejected it' }], neverAborted);
    assert.deepEqual((await edits.all()).at(-1)?.notShownOn, undefined);
  });
});

describe('consent', () => {
  after(scrapMachines);

  const request = { what: 'program', content: 'rm -rf build' };

  it('is asked for once for the same content, and again for another', async () => {
    const store = await aStore(await aMachine());
    const asked: string[] = [];
    const consent = rememberedConsent(store, ({ content }) => {
      asked.push(content);
      return Promise.resolve(true);
    });
    assert.equal(await consent.allows(request, neverAborted), true);
    assert.equal(await consent.allows(request, neverAborted), true);
    assert.equal(await consent.allows({ ...request, content: 'rm -rf /' }, neverAborted), true);
    assert.equal(
      await consent.allows({ ...request, content: 'known anew', formerly: request.content }, neverAborted),
      true,
    );
    assert.equal(await consent.allows({ ...request, what: 'model' }, neverAborted), true);
    assert.deepEqual(asked, ['rm -rf build', 'rm -rf /', 'rm -rf build']);
  });

  it('is asked for again after a no', async () => {
    const store = await aStore(await aMachine());
    const answers = [false, true];
    const consent = rememberedConsent(store, () => Promise.resolve(answers.shift() ?? false));
    assert.equal(await consent.allows(request, neverAborted), false);
    assert.equal(await consent.allows(request, neverAborted), true);
  });

  it('is not given by a file that somebody else wrote', async () => {
    const [here, there] = [await aStore(await aMachine()), await aStore(await aMachine())];
    await allow(there, request, neverAborted);
    await writeFile(path.join(here.folder, 'consents.json'), await readFile(path.join(there.folder, 'consents.json')));
    assert.equal(await isAllowed(here, request), false);
  });
});

describe('the split file', () => {
  after(scrapMachines);

  it('is the text as it was written, where a team can share it', async () => {
    const machine = await aMachine();
    const { places } = await aStore(machine);
    assert.equal(await readSplit(places), undefined);
    await writeSplit(places, '{"a":1}\n');
    assert.equal(await readFile(path.join(machine.workspace, '.whetstone', 'split.json'), 'utf8'), '{"a":1}\n');
    assert.equal(await readSplit(places), '{"a":1}\n');
  });

  it('of a read-only workspace is read there and written to user state', async () => {
    const machine = await aMachine();
    await mkdir(path.join(machine.workspace, '.whetstone'));
    const shared = path.join(machine.workspace, '.whetstone', 'split.json');
    await writeFile(shared, 'shared');
    const { places } = await aStore(machine, { request: { faultOf: () => Promise.resolve('is read-only') } });
    assert.equal(await readSplit(places), 'shared');
    await writeSplit(places, 'own');
    assert.equal(await readSplit(places), 'own');
    assert.equal(await readFile(shared, 'utf8'), 'shared');
  });
});
