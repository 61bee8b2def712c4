import assert from 'node:assert/strict';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { adopt } from '../../../../src/storage/adoption/adopt.js';
import { cleanSkill, prune, pruneDaily, pruneRuns, sweepLeftovers } from '../../../../src/storage/state/retention.js';
import { undoLast } from '../../../../src/storage/adoption/history.js';
import { listReceipts } from '../../../../src/storage/adoption/receipts.js';
import { openJournal } from '../../../../src/storage/runs/journal.js';
import { waitForLock } from '../../../../src/storage/files/lock.js';
import { readProposal, writeProposal } from '../../../../src/storage/proposals/proposals.js';
import { openReplies } from '../../../../src/storage/runs/replies.js';
import { newRunId } from '../../../../src/storage/runs/runFolder.js';
import { skillState, skillStateFolders } from '../../../../src/storage/state/skillState.js';
import { runLock } from '../../../../src/storage/state/skillLocks.js';
import type { SkillStore } from '../../../../src/storage/state/store.js';
import { listRuns, writeSummary } from '../../../../src/storage/runs/summaries.js';
import { openTexts } from '../../../../src/storage/files/contentStore.js';
import {
  aMachine,
  aProposal,
  aStore,
  neverAborted,
  keepReply,
  type Machine,
  scrapMachines,
  skillText,
} from '../../../builders/storage.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { aReply } from '../contracts/replyStoreContract.js';

const summarySchema = z.object({ skillKey: z.string() });
const anyRecord = z.object({ remaining: z.number() });
const dayMs = 24 * 60 * 60 * 1000;

describe('deleting the data of a skill', () => {
  after(scrapMachines);

  it('leaves nothing about it in either store, and the skill as it is', async () => {
    const { machine, store } = await used();
    const before = await readFile(machine.skillPath);
    assert.deepEqual(await cleanSkill(store, neverAborted), { runs: 2 });
    assert.deepEqual(await listReceipts(store), []);
    assert.deepEqual(await listRuns(store, summarySchema), []);
    assert.equal((await readProposal(store)).kind, 'missing');
    for (const folder of skillStateFolders)
      assert.equal((await skillState(store, folder, anyRecord).read()).kind, 'missing', folder);
    assert.deepEqual(await namesIn(path.join(store.folder, 'backups')), []);
    const { skillId, skillKey } = store.places;
    // Locks stay: they hold nothing but who had them last, and a file that is removed cannot be waited for.
    const left = [...(await namesIn(store.folder, 'locks')), ...(await namesIn(store.places.workspaceState))];
    assert.deepEqual(
      left.filter((name) => name.includes(skillId) || name.includes(skillKey)),
      [],
    );
    assert.deepEqual(await readFile(machine.skillPath), before);
  });

  it('leaves another skill of the workspace alone, with the backups that both need', async () => {
    const { machine, store } = await used();
    const skillPath = path.join(machine.workspace, 'OTHER.md');
    await writeFile(skillPath, skillText);
    const other = await use(machine, skillPath);
    await cleanSkill(store, neverAborted);
    assert.equal((await listReceipts(other)).length, 1);
    assert.equal((await listRuns(other, summarySchema)).length, 1);
    await undoLast(other, neverAborted);
    assert.equal(await readFile(skillPath, 'utf8'), skillText);
  });

  it('is refused while a run goes on', async () => {
    const { store } = await used();
    const lock = await waitForLock(runLock(store, 'a run'), 0, neverAborted);
    await assert.rejects(cleanSkill(store, neverAborted), { code: 'busy' });
    assert.equal((await listReceipts(store)).length, 1);
    await lock.release();
  });
});

describe('what has had its time', () => {
  after(scrapMachines);

  it('goes after thirty days, but never a backup that a receipt names', async () => {
    const { store: now } = await used();
    await keepReply(now, 'key', aReply());
    const hash = await openTexts(now).put('answer');
    assert.deepEqual(await prune({ ...now, clock: new ManualClock(Date.now() + 29 * dayMs) }), noneGone);
    const gone = await prune({ ...now, clock: new ManualClock(Date.now() + 31 * dayMs) });
    assert.deepEqual(gone, { ...noneGone, replies: 1, texts: 1 });
    assert.equal(await openReplies(now).get('key'), undefined);
    assert.equal(await openTexts(now).get(hash), undefined);
    await undoLast(now, neverAborted);
  });

  it('waits for the next time where somebody has no time now', async () => {
    const { store } = await used();
    await keepReply(store, 'key', aReply());
    const later = { ...store, clock: new ManualClock(Date.now() + 31 * dayMs) };
    assert.deepEqual(await prune(later, AbortSignal.abort()), noneGone);
    assert.deepEqual(await prune(later, neverAborted), { ...noneGone, replies: 1 });
  });

  it('includes a backup that no receipt names, and what a crash left half written', async () => {
    const { store } = await used();
    const backups = path.join(store.folder, 'backups');
    await writeFile(path.join(backups, 'a'.repeat(64)), 'orphan');
    await writeFile(path.join(store.folder, '.x.json.123.whetstone-tmp'), 'half');
    await utimes(path.join(store.folder, '.x.json.123.whetstone-tmp'), 1, 1);
    const gone = await prune({ ...store, clock: new ManualClock(Date.now() + 31 * dayMs) });
    assert.deepEqual(gone, { ...noneGone, backups: 1, leftovers: 1 });
  });

  it('includes no backup as long as a receipt cannot be read', async () => {
    const { store } = await used();
    await writeFile(path.join(store.folder, 'receipts', store.places.skillId, '000002.json'), '{');
    await writeFile(path.join(store.folder, 'backups', 'a'.repeat(64)), 'orphan');
    const gone = await prune({ ...store, clock: new ManualClock(Date.now() + 31 * dayMs) });
    assert.equal(gone.backups, 0);
  });
});

describe('pruning', () => {
  after(scrapMachines);

  it('looks through the files at most once a day, also after a clock was set back', async () => {
    const { store } = await used();
    const at = async (now: number) =>
      (await pruneDaily({ ...store, clock: new ManualClock(now) }, neverAborted)) !== undefined;
    const now = Date.now();
    assert.deepEqual(
      [await at(now), await at(now + dayMs - 1), await at(now + dayMs), await at(now - 9 * dayMs)],
      [true, false, true, true],
    );
  });
});

describe('runs that are more than ninety days old', () => {
  after(scrapMachines);

  const start = Date.UTC(2026, 0, 1);
  const aged = async (count: number) => {
    const machine = await aMachine();
    const store = await aStore(machine);
    const runIds = Array.from({ length: count }, (_, index) => newRunId(start + index * dayMs));
    for (const runId of runIds) await writeSummary(store, summarySchema, runId, { skillKey: store.places.skillKey });
    return { machine, store, runIds };
  };
  const later = (store: SkillStore, days: number): SkillStore => ({
    ...store,
    clock: new ManualClock(start + days * dayMs),
  });

  it('go, all but the newest twenty and those in use', async () => {
    const { store, runIds } = await aged(25);
    const inUse = () => Promise.resolve(new Set([runIds[1] ?? '']));
    assert.equal(await pruneRuns(later(store, 200), inUse), 4);
    assert.deepEqual(await runsLeft(store), [runIds[1], ...runIds.slice(5)]);
  });

  it('go only as far as they are that old', async () => {
    const { store, runIds } = await aged(25);
    assert.equal(await pruneRuns(later(store, 92), none), 2);
    assert.deepEqual(await runsLeft(store), runIds.slice(2));
    assert.equal(await pruneRuns(later(store, 60), none), 0);
  });

  it('are looked for by name alone where there is none', async () => {
    const { store } = await aged(25);
    assert.equal(await pruneRuns(later(store, 50), notAsked), 0);
  });

  it('of another skill stay', async () => {
    const { machine, store, runIds } = await aged(25);
    const skillPath = path.join(machine.workspace, 'OTHER.md');
    await writeFile(skillPath, 'another');
    const other = await aStore(machine, { request: { skillPath } });
    assert.equal(await pruneRuns(later(other, 200), none), 0);
    assert.equal((await runsLeft(store)).length, runIds.length);
  });
});

describe('a draft that a killed process left', () => {
  after(scrapMachines);

  it('goes with its age; a fresh one and every other file stay', async () => {
    const { store } = await used();
    const folder = store.places.workspaceState;
    const inside = path.join(folder, 'runs', '.report.md.1.whetstone-tmp');
    await writeFile(inside, 'half');
    await writeFile(path.join(folder, '.split.json.2.whetstone-tmp'), 'half');
    await utimes(inside, 1000, 1000);
    const before = await namesIn(folder);
    assert.equal(await sweepLeftovers(folder, 2_000_000), 1);
    assert.deepEqual(
      await namesIn(folder),
      before.filter((name) => name !== path.basename(inside)),
    );
  });
});

const none = () => Promise.resolve(new Set<string>());
const notAsked = () => Promise.reject(new Error('asked'));

async function runsLeft(store: SkillStore): Promise<readonly string[]> {
  return (await listRuns(store, summarySchema)).map(({ runId }) => runId).toReversed();
}

const noneGone = { replies: 0, texts: 0, backups: 0, leftovers: 0 };

async function used(): Promise<{ readonly machine: Machine; readonly store: SkillStore }> {
  const machine = await aMachine();
  const store = await use(machine, machine.skillPath);
  const lock = await waitForLock(runLock(store, 'a run'), 0, neverAborted);
  const { writer } = await openJournal(store, newRunId(1), lock);
  writer.append({ kind: 'run-started', skillKey: store.places.skillKey });
  await writer.close();
  await lock.release();
  return { machine, store };
}

/** A finished run, a proposal that is adopted, and a record of every kind. */
async function use(machine: Machine, skillPath: string): Promise<SkillStore> {
  const store = await aStore(machine, { request: { skillPath } });
  const { skillKey } = store.places;
  await writeSummary(store, summarySchema, newRunId(store.clock.now()), { skillKey });
  await writeProposal(store, aProposal(store));
  for (const folder of skillStateFolders)
    await skillState(store, folder, anyRecord).update(() => ({ remaining: 0.05 }), neverAborted);
  await adopt(store, { reading: await readProposal(store), attended: true }, neverAborted);
  return store;
}

async function namesIn(folder: string, except = ''): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && path.basename(entry.parentPath) !== except)
    .map(({ name }) => name);
}
