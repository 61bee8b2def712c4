import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cleanStores } from '../../src/app/runs/cleanStores.js';
import { openSkill } from '../../src/app/openSkill.js';
import { readBegunRun, readEvents } from '../../src/app/runs/runJournal.js';
import { aModelThatLearns } from '../builders/aModelThatLearns.js';
import { aWorkspace, inEveryRole, type TestWorkspace } from '../builders/aWorkspace.js';
import { openJournal } from '../../src/storage/runs/journal.js';
import { readProposal, writeProposal } from '../../src/storage/proposals/proposals.js';
import { rejectedEditsOf } from '../../src/storage/proposals/rejectedEdits.js';
import { openReplies } from '../../src/storage/runs/replies.js';
import { runFolder } from '../../src/storage/runs/runFolder.js';
import { runLock } from '../../src/storage/state/skillLocks.js';
import type { SkillStore } from '../../src/storage/state/store.js';
import { taskArchiveOf } from '../../src/storage/state/taskArchive.js';
import { withLock } from '../../src/storage/files/lock.js';
import { aTrainingTask } from '../builders/aTask.js';
import { neverAborted } from '../builders/storage.js';
import { aReply } from '../fakes/ScriptedModel.js';

const token = `ghp_${'a1B2'.repeat(9)}`;

/** A store as an earlier version left it: with a secret in every file that had one in clear. */
describe('what an earlier version stored in clear', () => {
  let workspace: TestWorkspace;
  let runId: string;
  let store: SkillStore;

  before(async function () {
    workspace = aWorkspace({ models: inEveryRole(aModelThatLearns(() => '')) });
    ({ runId } = await workspace.optimize());
    ({ store } = await openSkill(workspace.world(), requestOf(workspace), 'work'));
    await spoil({ ...store, hide: undefined });
  });
  after(() => workspace.dispose());

  it('is taken out once, and everything is read as before', async () => {
    const dirty = filesWith(workspace, token);
    assert.deepEqual(new Set(dirty.map(kindOf)), new Set(kinds), dirty.join('\n'));
    const before = await readProposal(store);
    await withLock(runLock(store, 'a test'), 0, neverAborted, () => cleanStores(store, neverAborted));
    assert.deepEqual(filesWith(workspace, token), []);
    assert.deepEqual(await readProposal(store), before, 'the proposal is whole');
    const events = await readEvents(store, runId);
    assert.ok(events.some((event) => event.kind === 'note' && event.text.startsWith('Said REDACTED_')));
    assert.ok((await readBegunRun(store, runId)) !== undefined, 'the journal is still ours');
    assert.equal((await taskArchiveOf(store).all()).length, 1);
    assert.equal(await openReplies(store).get('old'), undefined, 'and is asked again');
    assert.ok((await openReplies(store).get('plain')) !== undefined);
  });

  it('is not looked for again', async () => {
    const bytes = new Map(allFiles(workspace).map((file) => [file, readFileSync(file, 'utf8')]));
    await cleanStores(store, neverAborted);
    for (const [file, text] of bytes) assert.equal(readFileSync(file, 'utf8'), text, file);
  });

  async function spoil(open: SkillStore): Promise<void> {
    rmSync(path.join(open.folder, 'redaction.json'));
    rmSync(path.join(open.folder, 'redactions'), { recursive: true });
    await taskArchiveOf(open).add([aTrainingTask({ id: 'a', prompt: `Use ${token}.` })], neverAborted);
    await rejectedEditsOf(open).add([{ op: 'append', content: `Use ${token}.`, reason: 'No.' }], neverAborted);
    await openReplies(open).put('old', aReply({ text: `Use ${token}.` }));
    await openReplies(open).put('plain', aReply({ text: 'Nothing.' }));
    const reading = await readProposal(open);
    assert.ok(reading.kind === 'verified');
    const models = { ...reading.proposal.models, judge: `judge ${token}` };
    await writeProposal(open, { ...reading.proposal, models });
    await withLock(runLock(open, 'a test'), 0, neverAborted, async (lock) => {
      const { writer } = await openJournal(open, runId, lock);
      writer.append({ kind: 'note', text: `Said ${token}` });
      await writer.close();
    });
    writeFileSync(path.join(runFolder(open.places, runId), 'config.json'), JSON.stringify({ preferences: token }));
  }
});

const kinds = ['task-archives', 'rejected-edits', 'replies', 'proposals', 'journal.jsonl', 'config.json'];

function kindOf(file: string): string {
  return kinds.find((kind) => file.includes(kind)) ?? file;
}

function requestOf({ skillPath, folder }: TestWorkspace): Parameters<typeof openSkill>[1] {
  return { skillPath, workspaceFolders: [folder] };
}

function filesWith(workspace: TestWorkspace, text: string): readonly string[] {
  return allFiles(workspace).filter((file) => readFileSync(file, 'utf8').includes(text));
}

function allFiles({ folder }: TestWorkspace): readonly string[] {
  const root = path.dirname(folder);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(root, name))
    .filter((file) => statSync(file).isFile());
}
