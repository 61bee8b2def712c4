import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { noteAdoption, saveInEditor } from '../../../../src/storage/adoption/editorChange.js';
import { undoLast } from '../../../../src/storage/adoption/history.js';
import { ownReceipts, type Receipt } from '../../../../src/storage/adoption/receipts.js';
import { recoverAll } from '../../../../src/storage/adoption/recover.js';
import type { SkillStore } from '../../../../src/storage/state/store.js';
import { aMachine, aStore, neverAborted, scrapMachines, skillText } from '../../../builders/storage.js';

const tone = '\uFEFF# Tone\r\nBe calm.\r\n';
const old: Texts = [skillText, tone];
const fresh: Texts = [`${skillText}Use ISO dates.\n`, `${tone}Be brief.\r\n`];

type Texts = readonly [skill: string, tone: string];

/** An editor writes two files by itself, and everybody else asks the receipts. */
describe('what an editor saves in several files', () => {
  let files: readonly [string, string];
  let store: SkillStore;
  beforeEach(async () => {
    const machine = await aMachine(old[0]);
    store = await aStore(machine);
    files = [machine.skillPath, path.join(path.dirname(machine.skillPath), 'references/tone.md')];
    await mkdir(path.dirname(files[1]));
    await writeFile(files[1], old[1]);
  });
  after(scrapMachines);

  it('is one adoption, which one undo takes back byte for byte', async () => {
    const receipt = await accept();
    assert.deepEqual(await texts(), fresh);
    assert.deepEqual(
      [receipt?.action, receipt?.verdict, receipt?.edits, receipt?.documents.map(({ documentPath }) => documentPath)],
      ['adopt', 'accepted', ['E1', 'E2'], ['skills/dates/SKILL.md', './references/tone.md']],
    );
    assert.equal((await ownReceipts(store)).length, 1);
    assert.deepEqual((await undoLast(store, neverAborted)).undoes, [1]);
    assert.deepEqual(await texts(), old);
  });

  it('leaves every file as it was where saving one of them fails', async () => {
    const failing = save(fresh, async () => {
      await write([fresh[0], old[1]]);
      throw new Error('The disk is full.');
    });
    await assert.rejects(failing, /disk is full/);
    assert.deepEqual(await texts(), old);
    assert.deepEqual(await ownReceipts(store), []);
    assert.deepEqual(await recoverAll(store, neverAborted), [], 'nothing is left to mend');
  });

  it('is refused before anything is written where a file holds another text than the person saw', async () => {
    await writeFile(files[1], 'mine');
    let isWritten = false;
    const refused = save(fresh, async () => void (isWritten = true));
    await assert.rejects(refused, { code: 'skill-changed' });
    assert.equal(isWritten, false);
    assert.deepEqual(await ownReceipts(store), []);
  });

  it('is named as it was saved, and measured no more, where a formatter changed it once more', async () => {
    const formatted: Texts = [`${fresh[0]}\n`, fresh[1]];
    const receipt = await save(fresh, () => write(formatted));
    assert.equal(receipt?.verdict, 'unmeasured');
    await undoLast(store, neverAborted);
    assert.deepEqual(await texts(), old);
  });

  it('leaves no receipt where nothing was changed after all', async () => {
    assert.equal(await save(fresh, () => write(old)), undefined);
    assert.equal(await save(old, () => Promise.resolve(), []), undefined);
    assert.deepEqual(await ownReceipts(store), []);
    assert.deepEqual(await recoverAll(store, neverAborted), []);
  });

  it('is undone and brought again by the editor over all files as one step each', async () => {
    await accept();
    const undone = await save(old, () => write(old), []);
    assert.deepEqual([undone?.action, undone?.undoes], ['undo', [1]]);
    await assert.rejects(undoLast(store, neverAborted), { code: 'nothing-to-undo' });
    const again = await save(fresh, () => write(fresh), []);
    assert.deepEqual([again?.action, again?.edits], ['adopt', ['E1', 'E2']]);
    await undoLast(store, neverAborted);
    assert.deepEqual(await texts(), old);
  });

  it('is taken back whole where the editor had undone one file by itself', async () => {
    await accept();
    assert.equal((await noteTone(fresh[1], old[1])).action, 'adopt', 'a step: the other file still has its part');
    assert.deepEqual(await texts(), [fresh[0], old[1]]);
    assert.deepEqual((await undoLast(store, neverAborted)).undoes, [2, 1]);
    assert.deepEqual(await texts(), old);
  });

  it('is taken back whole where one file was put back and nobody noted it', async () => {
    await accept();
    await writeFile(files[1], old[1]);
    await undoLast(store, neverAborted);
    assert.deepEqual(await texts(), old);
  });

  it('is undone once the editor has taken back its last file', async () => {
    await accept();
    await noteTone(fresh[1], old[1]);
    await writeFile(files[0], old[0]);
    const last = await noteAdoption(
      store,
      { note: step, document: documents[0], before: Buffer.from(fresh[0]), after: Buffer.from(old[0]) },
      neverAborted,
    );
    assert.deepEqual([last.action, last.undoes], ['undo', [2, 1]]);
    await assert.rejects(undoLast(store, neverAborted), { code: 'nothing-to-undo' });
  });

  it('stands again where the editor brings the one file back that it had undone', async () => {
    await accept();
    await noteTone(fresh[1], old[1]);
    assert.deepEqual((await noteTone(old[1], fresh[1])).undoes, [2]);
    assert.deepEqual((await undoLast(store, neverAborted)).undoes, [1]);
    assert.deepEqual(await texts(), old);
  });

  const documents = [
    { kind: 'skill', documentPath: 'skills/dates/SKILL.md' },
    { kind: 'file', documentPath: './references/tone.md' },
  ] as const;
  const step = { proposalId: 'p1', verdict: 'unmeasured', edits: [] } as const;

  function accept(): Promise<Receipt | undefined> {
    return save(fresh, () => write(fresh));
  }

  function save(
    [skill, beside]: Texts,
    writing: () => Promise<void>,
    edits: readonly string[] = ['E1', 'E2'],
  ): Promise<Receipt | undefined> {
    const after = [skill, beside];
    const changes = documents.map((document, at) => ({
      ...document,
      before: edits.length === 0 ? undefined : Buffer.from(old[at] ?? ''),
      after: Buffer.from(after[at] ?? ''),
    }));
    return saveInEditor(
      store,
      { note: { proposalId: 'p1', verdict: 'accepted', edits }, documents: changes },
      writing,
      neverAborted,
    );
  }

  async function noteTone(before: string, after: string): Promise<Receipt> {
    await writeFile(files[1], after);
    return noteAdoption(
      store,
      { note: step, document: documents[1], before: Buffer.from(before), after: Buffer.from(after) },
      neverAborted,
    );
  }

  async function write([skill, beside]: Texts): Promise<void> {
    await writeFile(files[0], skill);
    await writeFile(files[1], beside);
  }

  async function texts(): Promise<readonly string[]> {
    return Promise.all(files.map((file) => readFile(file, 'utf8')));
  }
});
