import assert from 'node:assert/strict';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { adopt } from '../../../src/storage/adopt.js';
import { cleanSkill } from '../../../src/storage/clean.js';
import { errorBudgetOf } from '../../../src/storage/errorBudgets.js';
import { historyOf } from '../../../src/storage/history.js';
import { openJournal } from '../../../src/storage/journal.js';
import { waitForLock } from '../../../src/storage/lock.js';
import { readProposal, writeProposal } from '../../../src/storage/proposals.js';
import { openReplies } from '../../../src/storage/replies.js';
import { prune } from '../../../src/storage/retention.js';
import { newRunId } from '../../../src/storage/runFolder.js';
import { runLock } from '../../../src/storage/skillLocks.js';
import type { SkillStore } from '../../../src/storage/store.js';
import { listRuns, writeSummary } from '../../../src/storage/summaries.js';
import { openTexts } from '../../../src/storage/texts.js';
import { undoLast } from '../../../src/storage/undo.js';
import { aMachine, aProposal, aStore, calm, type Machine, scrapMachines, skillText } from '../../builders/storage.js';
import { ManualClock } from '../../fakes/ManualClock.js';
import { aReply } from './contracts/replyStoreContract.js';

const summarySchema = z.object({ skillKey: z.string() });
const budgetSchema = z.object({ remaining: z.number() });
const dayMs = 24 * 60 * 60 * 1000;

describe('deleting the data of a skill', () => {
  after(scrapMachines);

  it('leaves nothing about it in either store, and the skill as it is', async () => {
    const { machine, store } = await used();
    const before = await readFile(machine.skillPath);
    assert.deepEqual(await cleanSkill(store, calm), { runs: 2 });
    assert.deepEqual(await historyOf(store), []);
    assert.deepEqual(await listRuns(store, summarySchema), []);
    assert.equal((await readProposal(store)).kind, 'missing');
    assert.equal((await errorBudgetOf(store, budgetSchema).read()).kind, 'missing');
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
    await cleanSkill(store, calm);
    assert.equal((await historyOf(other)).length, 1);
    assert.equal((await listRuns(other, summarySchema)).length, 1);
    await undoLast(other, calm);
    assert.equal(await readFile(skillPath, 'utf8'), skillText);
  });

  it('is refused while a run goes on', async () => {
    const { store } = await used();
    const lock = await waitForLock(runLock(store, 'a run'), 0, calm);
    await assert.rejects(cleanSkill(store, calm), { code: 'busy' });
    assert.equal((await historyOf(store)).length, 1);
    await lock.release();
  });
});

describe('what has had its time', () => {
  after(scrapMachines);

  it('goes after thirty days, but never a backup that a receipt names', async () => {
    const { store: now } = await used();
    await openReplies(now).put('key', aReply());
    const hash = await openTexts(now).put('answer');
    assert.deepEqual(await prune({ ...now, clock: new ManualClock(Date.now() + 29 * dayMs) }), noneGone);
    const gone = await prune({ ...now, clock: new ManualClock(Date.now() + 31 * dayMs) });
    assert.deepEqual(gone, { ...noneGone, replies: 1, texts: 1 });
    assert.equal(await openReplies(now).get('key'), undefined);
    assert.equal(await openTexts(now).get(hash), undefined);
    await undoLast(now, calm);
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

const noneGone = { replies: 0, texts: 0, backups: 0, leftovers: 0 };

async function used(): Promise<{ readonly machine: Machine; readonly store: SkillStore }> {
  const machine = await aMachine();
  const store = await use(machine, machine.skillPath);
  const lock = await waitForLock(runLock(store, 'a run'), 0, calm);
  const { writer } = await openJournal(store, newRunId(1), lock);
  writer.append({ kind: 'run-started', skillKey: store.places.skillKey });
  await writer.close();
  await lock.release();
  return { machine, store };
}

/** A finished run, a proposal that is adopted, and a budget. */
async function use(machine: Machine, skillPath: string): Promise<SkillStore> {
  const store = await aStore(machine, { request: { skillPath } });
  const { skillKey } = store.places;
  await writeSummary(store, summarySchema, newRunId(store.clock.now()), { skillKey });
  await writeProposal(store, aProposal(store));
  await errorBudgetOf(store, budgetSchema).update(() => ({ remaining: 0.05 }), calm);
  await adopt(store, { reading: await readProposal(store), attended: true }, calm);
  return store;
}

async function namesIn(folder: string, except = ''): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && path.basename(entry.parentPath) !== except)
    .map(({ name }) => name);
}
