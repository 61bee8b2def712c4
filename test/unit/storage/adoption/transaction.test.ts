import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { adopt } from '../../../../src/storage/adoption/adopt.js';
import { undoLast } from '../../../../src/storage/adoption/history.js';
import { readBackup } from '../../../../src/storage/files/contentStore.js';
import { listReceipts } from '../../../../src/storage/adoption/receipts.js';
import { readProposal, writeProposal } from '../../../../src/storage/proposals/proposals.js';
import { recoverAll } from '../../../../src/storage/adoption/recover.js';
import type { SkillStore } from '../../../../src/storage/state/store.js';
import {
  aDocument,
  aMachine,
  aProposal,
  aStore,
  neverAborted,
  type Machine,
  scrapMachines,
  withRule,
} from '../../../builders/storage.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { acceptInEditor } from '../../../builders/editorSave.js';
import { startChild } from '../children/childProcess.js';

type Action = 'adopt' | 'undo' | 'save';

const full = process.env['WHETSTONE_FULL'] === '1';
const bom = '\uFEFF';
const oldTexts = { skill: `${bom}# Dates\r\n\r\nold`, memory: '# Memory\n' };
const newTexts = { skill: `${bom}# Dates\r\n\r\nnew`, memory: withRule('# Memory\n', 'new') };

/** By default a kill at each of these: lock, write, fsync and rename of every file. */
const chosenPoints =
  /^(locked|editor:\d|(transaction|skill|memory|receipt):(write|fsync|rename|renamed)|transaction-removed)$/;
const fewPoints = {
  adopt: new Set(['memory:rename', 'receipt:rename']),
  undo: new Set(['skill:rename', 'receipt:rename']),
  // The editor has written one of two files, or both and nothing says so yet.
  save: new Set(['editor:1', 'receipt:rename']),
};

describe('a change that is killed', () => {
  after(scrapMachines);

  it('passes the points at which it is killed below', async () => {
    const { points } = await rehearsal('adopt');
    for (const point of fewPoints.adopt) assert.ok(points.includes(point), point);
    assert.deepEqual((await rehearsal('undo')).points, points);
  });

  for (const action of ['adopt', 'undo', 'save'] as const) {
    it(`leaves all files as they were or all as they should become: ${action}`, async function () {
      const { points } = await rehearsal(action);
      const kills = points
        .map((point, index) => ({ point, killAt: index + 1 }))
        .filter(({ point }) =>
          full ? chosenPoints.test(point) || point.includes('lock') : fewPoints[action].has(point),
        );
      assert.ok(kills.length >= fewPoints[action].size);
      const outcomes = await eachTwo(kills, (kill) => killed(action, kill));
      // Early kills leave the old bytes, late ones the new: both ends are seen, or nothing was proved.
      assert.ok(outcomes.includes('old') && outcomes.includes('new'));
    });
  }
});

describe('recovery', () => {
  after(scrapMachines);

  it('leaves alone what somebody wrote after the crash', async () => {
    const machine = await prepared('adopt');
    const store = await crash(machine, 'memory:rename');
    await writeFile(path.join(machine.workspace, 'AGENTS.md'), 'my own words');
    const [recovery] = await recoverAll(store, neverAborted);
    assert.equal(recovery?.kind, 'taken-back');
    assert.equal(await readFile(path.join(machine.workspace, 'AGENTS.md'), 'utf8'), 'my own words');
    assert.equal(await readFile(machine.skillPath, 'utf8'), oldTexts.skill);
  });

  it('finishes what lacked only its receipt', async () => {
    const machine = await prepared('adopt');
    const store = await crash(machine, 'receipt:write');
    const [recovery] = await recoverAll(store, neverAborted);
    assert.equal(recovery?.kind, 'finished');
    assert.deepEqual(await texts(machine), newTexts);
    await undoLast(store, neverAborted);
    assert.deepEqual(await texts(machine), oldTexts);
  });

  it('never takes up a record that this user did not write', async () => {
    const machine = await prepared('adopt');
    const store = await crash(machine, 'memory:rename');
    const file = path.join(store.folder, 'transactions', `${store.places.skillId}.json`);
    await writeFile(file, (await readFile(file, 'utf8')).replace('AGENTS.md', 'VICTIM.md'));
    assert.deepEqual(await recoverAll(store, neverAborted), []);
    assert.equal((await texts(machine)).memory, oldTexts.memory);
  });

  it('does nothing where nothing was cut off', async () => {
    const machine = await prepared('undo');
    assert.deepEqual(await recoverAll(await aStore(machine), neverAborted), []);
    assert.deepEqual(await texts(machine), newTexts);
  });
});

/** A skill with a proposal for it and its memory file; for `undo` the proposal is adopted. */
async function prepared(action: Action): Promise<Machine> {
  const machine = await aMachine(oldTexts.skill);
  await writeFile(path.join(machine.workspace, 'AGENTS.md'), oldTexts.memory);
  const store = await aStore(machine);
  const memory = aDocument(oldTexts.memory, newTexts.memory, { kind: 'memory', path: 'AGENTS.md' });
  await writeProposal(store, aProposal(store, { documents: [aDocument(oldTexts.skill, newTexts.skill), memory] }));
  if (action === 'undo') await adopt(store, { reading: await readProposal(store), attended: true }, neverAborted);
  return machine;
}

const rehearsals = new Map<string, Promise<{ readonly points: readonly string[] }>>();

/** Every point that the change passes, in order; gone through once. */
function rehearsal(action: Action): Promise<{ readonly points: readonly string[] }> {
  const known = rehearsals.get(action) ?? rehearse(action);
  rehearsals.set(action, known);
  return known;
}

async function rehearse(action: Action): Promise<{ readonly points: readonly string[] }> {
  const machine = await prepared(action);
  const points: string[] = [];
  const store = await aStore(machine, { probe: (point) => points.push(point) });
  await carryOut(store, action);
  assert.deepEqual(await texts(machine), action === 'undo' ? oldTexts : newTexts);
  return { points };
}

async function carryOut(store: SkillStore, action: Action): Promise<void> {
  if (action === 'undo') await undoLast(store, neverAborted);
  else if (action === 'save') await acceptInEditor(store);
  else await adopt(store, { reading: await readProposal(store), attended: true }, neverAborted);
}

async function killed(
  action: Action,
  { point, killAt }: { readonly point: string; readonly killAt: number },
): Promise<'old' | 'new'> {
  const machine = await prepared(action);
  const child = await startChild('change', { request: machine.request, action, killAt });
  assert.deepEqual(await child.gone, { code: null, signal: 'SIGKILL' }, point);
  const [before, after] = action === 'undo' ? [newTexts, oldTexts] : [oldTexts, newTexts];
  const raw = await texts(machine);
  assert.ok([before.skill, after.skill].includes(raw.skill), `${point}: before recovery`);
  assert.ok([before.memory, after.memory].includes(raw.memory), `${point}: before recovery`);

  const store = await aStore(machine, { clock: new ManualClock(Date.now() + 60_000) });
  await recoverAll(store, neverAborted);
  const now = await texts(machine);
  assert.ok(same(now, before) || same(now, after), `${point}: ${JSON.stringify(now)}`);
  assert.deepEqual(await readdir(path.dirname(machine.skillPath)), ['SKILL.md'], point);
  await stillUsable(store, machine, point);
  return same(now, before) ? 'old' : 'new';
}

/** Whatever the kill left, adopting and undoing work, and the history names every change that stands. */
async function stillUsable(store: SkillStore, machine: Machine, point: string): Promise<void> {
  if (same(await texts(machine), oldTexts)) await carryOut(store, 'adopt');
  assert.deepEqual(await texts(machine), newTexts, point);
  await carryOut(store, 'undo');
  assert.deepEqual(await texts(machine), oldTexts, point);
  const history = await listReceipts(store);
  assert.ok(history.length >= 2 && history.every(({ kind }) => kind === 'verified'), point);
  const backups = history.flatMap((each) =>
    'receipt' in each ? each.receipt.documents.map(({ after }) => after) : [],
  );
  for (const hash of backups) assert.ok(await readBackup(store, hash), point);
}

/** Stops the change in this process at a point, as a kill would, and gives a store to recover with. */
async function crash(machine: Machine, at: string): Promise<SkillStore> {
  const request = { request: machine.request, action: 'adopt' as const, killAt: await indexOf(at) };
  const child = await startChild('change', request);
  await child.gone;
  return aStore(machine, { clock: new ManualClock(Date.now() + 60_000) });
}

async function indexOf(point: string): Promise<number> {
  return (await rehearsal('adopt')).points.indexOf(point) + 1;
}

async function texts(machine: Machine): Promise<typeof oldTexts> {
  return {
    skill: await readFile(machine.skillPath, 'utf8'),
    memory: await readFile(path.join(machine.workspace, 'AGENTS.md'), 'utf8'),
  };
}

function same(left: typeof oldTexts, right: typeof oldTexts): boolean {
  return left.skill === right.skill && left.memory === right.memory;
}

/** Two at a time: a machine with two cores runs two children. */
async function eachTwo<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let index = 0; index < items.length; index += 2) {
    results.push(...(await Promise.all(items.slice(index, index + 2).map(work))));
  }
  return results;
}
