import assert from 'node:assert/strict';
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { adopt } from '../../../src/storage/adoption/adopt.js';
import { restoreVersion, undoLast } from '../../../src/storage/adoption/history.js';
import { listReceipts } from '../../../src/storage/adoption/receipts.js';
import { openJournal } from '../../../src/storage/runs/journal.js';
import { waitForLock } from '../../../src/storage/files/lock.js';
import { readProposal, writeProposal } from '../../../src/storage/proposals/proposals.js';
import { readJournal } from '../../../src/storage/runs/readJournal.js';
import { openReplies } from '../../../src/storage/runs/replies.js';
import { runLock } from '../../../src/storage/state/skillLocks.js';
import type { SkillStore } from '../../../src/storage/state/store.js';
import { listRuns, writeSummary } from '../../../src/storage/runs/summaries.js';
import {
  aMachine,
  aProposal,
  aStore,
  neverAborted,
  keepReply,
  type Machine,
  scrapMachines,
  skillText,
} from '../../builders/storage.js';

const runId = '20260115-120000-abcdef';
const summarySchema = z.object({ skillKey: z.string(), verdict: z.string() });
const reply = {
  text: 'the honest answer',
  finish: 'stop' as const,
  toolCalls: [],
  usage: { inputTokens: 1, outputTokens: 1, exact: true },
  cached: false,
};

describe('a .whetstone that comes with a clone', () => {
  after(scrapMachines);

  it('is full of things that verify where they were made', async () => {
    const { store } = await attacker();
    assert.equal((await readProposal(store)).kind, 'verified');
    assert.equal((await listRuns(store, summarySchema))[0]?.kind, 'verified');
    assert.equal((await readJournal(store.key, runId, journalIn(store))).kind, 'verified');
  });

  it('shows its accepted proposal as made elsewhere, without a figure', async () => {
    const { store } = await victim();
    const reading = await readProposal(store);
    assert.equal(reading.kind, 'made-elsewhere');
    assert.deepEqual(reading.proposal.verdict, {
      kind: 'unmeasured',
      cause: 'made-elsewhere',
      reason: 'Made elsewhere, not measured here.',
    });
    assert.deepEqual(reading.proposal.comparisons, []);
    assert.deepEqual(reading.proposal.answers, {});
    assert.equal(reading.proposal.documents[0]?.edits[0]?.worth.kind, 'not-measured-singly');
  });

  it('never has its proposal adopted unattended', async () => {
    const { machine, store } = await victim();
    const reading = await readProposal(store);
    await assert.rejects(adopt(store, { reading, attended: false }, neverAborted), { code: 'made-elsewhere' });
    assert.equal(await readFile(machine.skillPath, 'utf8'), skillText);
  });

  it('stays labelled as not measured when a person adopts its proposal by hand', async () => {
    const { store } = await victim();
    const reading = await readProposal(store);
    await assert.rejects(adopt(store, { reading, attended: true }, neverAborted), { code: 'made-elsewhere' });
    const receipt = await adopt(store, { reading, attended: true, madeElsewhere: true }, neverAborted);
    assert.equal(receipt.verdict, 'unmeasured');
  });

  it('has its receipts shown and never used to restore or to undo', async () => {
    const { machine, store } = await victim();
    assert.deepEqual(
      (await listReceipts(store)).map(({ kind }) => kind),
      ['made-elsewhere'],
    );
    await assert.rejects(restoreVersion(store, { seq: 1, side: 'before' }, neverAborted), { code: 'made-elsewhere' });
    await assert.rejects(undoLast(store, neverAborted), { code: 'nothing-to-undo' });
    assert.equal(await readFile(machine.skillPath, 'utf8'), skillText);
  });

  it('has its journal neither resumed nor read as events', async () => {
    const { store } = await victim();
    assert.equal((await readJournal(store.key, runId, journalIn(store))).kind, 'made-elsewhere');
    const lock = await waitForLock(runLock(store, 'a run'), 0, neverAborted);
    const before = await readFile(journalIn(store));
    await assert.rejects(openJournal(store, runId, lock), { code: 'made-elsewhere' });
    assert.deepEqual(await readFile(journalIn(store)), before);
    await lock.release();
  });

  it('has its summaries listed as made elsewhere', async () => {
    const { store } = await victim();
    assert.deepEqual(
      (await listRuns(store, summarySchema)).map(({ kind }) => kind),
      ['made-elsewhere'],
    );
  });

  it('has its replies never looked at', async () => {
    const { store } = await victim();
    assert.equal(await openReplies(store).get('request'), undefined);
  });

  it('cannot poison the replies of user state either', async () => {
    const { store } = await victim();
    const { store: other } = await attacker();
    await keepReply(other, 'request', { ...reply, text: 'poison' });
    await cp(path.join(other.folder, 'replies'), path.join(store.folder, 'replies'), { recursive: true });
    assert.equal(await openReplies(store).get('request'), undefined);
    await keepReply(store, 'request', reply);
    assert.equal((await openReplies(store).get('request'))?.text, 'the honest answer');
  });

  it('does not verify with a state key that it brings along', async () => {
    const { machine, store } = await victim();
    const { store: other } = await attacker();
    await cp(path.join(other.folder, 'state.key'), path.join(store.places.workspaceState, 'state.key'));
    assert.equal((await readProposal(await aStore(machine))).kind, 'made-elsewhere');
  });

  it('is replaced by what is made here', async () => {
    const { store } = await victim();
    await writeProposal(store, aProposal(store, { id: 'mine' }));
    const reading = await readProposal(store);
    assert.equal(reading.kind === 'verified' && reading.proposal.id, 'mine');
  });
});

/** Somebody else, with another key, who trained the same skill and put everything into `.whetstone`. */
async function attacker(): Promise<{ readonly machine: Machine; readonly store: SkillStore }> {
  const machine = await aMachine();
  const store = await aStore(machine);
  const lock = await waitForLock(runLock(store, 'a run'), 0, neverAborted);
  const { writer } = await openJournal(store, runId, lock);
  writer.append({ kind: 'started', skillKey: store.places.skillKey });
  await writer.close();
  await lock.release();
  await writeSummary(store, summarySchema, runId, { skillKey: store.places.skillKey, verdict: 'accepted' });
  await writeProposal(store, aProposal(store));
  await keepReply(store, 'request', { ...reply, text: 'poison' });
  return { machine, store };
}

/** Who clones that, and has the same skill. */
async function victim(): Promise<{ readonly machine: Machine; readonly store: SkillStore }> {
  const { machine: from, store: theirs } = await attacker();
  await adopt(theirs, { reading: await readProposal(theirs), attended: true }, neverAborted);
  const brought = theirs.places.workspaceState;
  await mkdir(path.join(brought, 'receipts'));
  await rename(
    path.join(theirs.folder, 'receipts', theirs.places.skillId, '000001.json'),
    path.join(brought, 'receipts', '000001.json'),
  );
  await cp(path.join(theirs.folder, 'replies'), path.join(brought, 'replies'), { recursive: true });
  await cp(path.join(theirs.folder, 'backups'), path.join(brought, 'backups'), { recursive: true });
  await writeFile(from.skillPath, skillText);
  const machine = await aMachine();
  await cp(from.workspace, machine.workspace, { recursive: true });
  return { machine, store: await aStore(machine) };
}

function journalIn(store: SkillStore): string {
  return path.join(store.places.workspaceState, 'runs', runId, 'journal.jsonl');
}
