import assert from 'node:assert/strict';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { listReceipts, ownReceipts, writeReceipt } from '../../../../src/storage/adoption/receipts.js';
import { adopt } from '../../../../src/storage/adoption/adopt.js';
import { noteAdoption } from '../../../../src/storage/adoption/editorChange.js';
import { readVersion, restoreVersion, lastAdoption, undoLast } from '../../../../src/storage/adoption/history.js';
import type { SkillStore } from '../../../../src/storage/state/store.js';
import {
  aDocument,
  aMachine,
  aProposal,
  aStore,
  neverAborted,
  type Machine,
  scrapMachines,
  skillText,
} from '../../../builders/storage.js';

const document = { kind: 'skill' as const, documentPath: 'skills/dates/SKILL.md' };

describe('undoing', () => {
  after(scrapMachines);

  it('gives the bytes from before, adoption by adoption', async () => {
    const { machine, store } = await ready();
    await adoptText(store, 'p1', skillText, 'one');
    await adoptText(store, 'p2', 'one', 'two');
    await undoLast(store, neverAborted);
    assert.equal(await textOf(machine), 'one');
    await undoLast(store, neverAborted);
    assert.equal(await textOf(machine), skillText);
    await assert.rejects(undoLast(store, neverAborted), { code: 'nothing-to-undo' });
  });

  it('works in a later session', async () => {
    const { machine, store } = await ready();
    await adoptText(store, 'p1', skillText, 'one');
    await undoLast(await aStore(machine), neverAborted);
    assert.equal(await textOf(machine), skillText);
  });

  it('works after the skill was moved', async () => {
    const { machine, store } = await ready();
    await adoptText(store, 'p1', skillText, 'one');
    const skillPath = path.join(machine.workspace, 'elsewhere', 'SKILL.md');
    await mkdir(path.dirname(skillPath));
    await rename(machine.skillPath, skillPath);
    await undoLast(await aStore(machine, { request: { skillPath } }), neverAborted);
    assert.equal(await readFile(skillPath, 'utf8'), skillText);
  });

  it('refuses to lose what was edited since, and names the way out', async () => {
    const { machine, store } = await ready();
    await adoptText(store, 'p1', skillText, 'one');
    await writeFile(machine.skillPath, 'one, and mine');
    await assert.rejects(undoLast(store, neverAborted), { code: 'skill-changed', cure: /restore it/ });
    assert.equal(await textOf(machine), 'one, and mine');
  });

  it('has nothing to do where the editor undid it already', async () => {
    const { machine, store } = await ready();
    await adoptText(store, 'p1', skillText, 'one');
    await writeFile(machine.skillPath, skillText);
    await assert.rejects(undoLast(store, neverAborted), { code: 'nothing-to-undo' });
  });

  it('writes an undo in the editor down as one, and its redo as an adoption that can be undone here', async () => {
    const { machine, store } = await ready();
    await writeFile(machine.skillPath, 'one');
    await note(store, 'p1', skillText, 'one');
    await writeFile(machine.skillPath, skillText);
    const undone = await noteStep(store, 'one', skillText);
    assert.deepEqual([undone.action, undone.undoes], ['undo', [1]]);
    await assert.rejects(undoLast(store, neverAborted), { code: 'nothing-to-undo' });
    await writeFile(machine.skillPath, 'one');
    const again = await noteStep(store, skillText, 'one');
    assert.deepEqual([again.action, again.undoes], ['adopt', []]);
    await undoLast(store, neverAborted);
    assert.equal(await textOf(machine), skillText);
  });

  it('takes back only the last of the adoptions of one proposal, then the one before it', async () => {
    const { machine, store } = await ready();
    await acceptInTurn(machine, store, ['hunk 1', 'hunk 1 and 2', 'hunk 1, 2 and 3']);
    assert.deepEqual((await undoLast(store, neverAborted)).undoes, [3]);
    assert.equal(await textOf(machine), 'hunk 1 and 2');
    await undoLast(store, neverAborted);
    await undoLast(store, neverAborted);
    assert.equal(await textOf(machine), skillText);
    await assert.rejects(undoLast(store, neverAborted), { code: 'nothing-to-undo' });
  });

  it('takes back only the last accept where the editor had undone and redone it', async () => {
    const { machine, store } = await ready();
    await acceptInTurn(machine, store, ['hunk 1', 'hunk 1 and 2']);
    await writeFile(machine.skillPath, 'hunk 1');
    await noteStep(store, 'hunk 1 and 2', 'hunk 1');
    await writeFile(machine.skillPath, 'hunk 1 and 2');
    assert.deepEqual((await noteStep(store, 'hunk 1', 'hunk 1 and 2')).edits, ['E1'], 'what the accept had named');
    await undoLast(store, neverAborted);
    assert.equal(await textOf(machine), 'hunk 1');
  });

  it('brings nothing again where the editor went back over several accepts in one step', async () => {
    const { machine, store } = await ready();
    await acceptInTurn(machine, store, ['hunk 1', 'hunk 1 and 2']);
    await writeFile(machine.skillPath, skillText);
    await noteStep(store, 'hunk 1 and 2', skillText);
    await assert.rejects(undoLast(store, neverAborted), { code: 'nothing-to-undo' });
    assert.equal(await textOf(machine), skillText);
  });

  it('still knows what an earlier Whetstone took back at once', async () => {
    const { machine, store } = await ready();
    await acceptInTurn(machine, store, ['hunk 1', 'hunk 1 and 2']);
    const [two, one] = await ownReceipts(store);
    assert.ok(one !== undefined && two !== undefined);
    const [before, after] = [one.documents[0]?.before ?? '', two.documents[0]?.after ?? ''];
    const documents = [{ ...document, before: after, after: before }];
    await writeReceipt(store, { ...two, seq: 3, action: 'undo', edits: [], undoes: [2, 1], documents }, {});
    await writeFile(machine.skillPath, skillText);
    await assert.rejects(undoLast(store, neverAborted), { code: 'nothing-to-undo' });
  });

  it('does not join hunks between which somebody else wrote', async () => {
    const { machine, store } = await ready();
    await writeFile(machine.skillPath, 'hunk 1');
    await note(store, 'p1', skillText, 'hunk 1');
    await writeFile(machine.skillPath, 'mine, hunk 2');
    await note(store, 'p1', 'mine', 'mine, hunk 2');
    await undoLast(store, neverAborted);
    assert.equal(await textOf(machine), 'mine');
  });

  it('notes only what the editor really saved', async () => {
    const { store } = await ready();
    await assert.rejects(note(store, 'p1', skillText, 'never saved'), { code: 'skill-changed' });
    assert.deepEqual(await listReceipts(store), []);
  });

  it('brings back, over any sequence of adoptions, exactly the texts from before them', async () => {
    const piece = fc.constantFrom('a', 'b', '\n', '\r\n', '\t', '\uFEFF', '漢', '😀');
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(text, { minLength: 2, maxLength: 4 }), async (texts) => {
        const { machine, store } = await ready(texts[0]);
        const steps = texts.slice(1).map((after, index) => ({ before: texts[index] ?? '', after, id: `p${index}` }));
        for (const { before, after, id } of steps) await adoptText(store, id, before, after);
        for (const { before } of steps.toReversed()) {
          await undoLast(store, neverAborted);
          assert.equal(await textOf(machine), before);
        }
      }),
      { numRuns: process.env['WHETSTONE_FULL'] === '1' ? 60 : 6 },
    );
  });
});

describe('the history', () => {
  after(scrapMachines);

  it('lists every change, newest first', async () => {
    const { store } = await ready();
    await adoptText(store, 'p1', skillText, 'one');
    await undoLast(store, neverAborted);
    await adoptText(store, 'p2', skillText, 'two');
    const actions = (await listReceipts(store)).map((reading) =>
      reading.kind === 'verified' ? [reading.receipt.seq, reading.receipt.action] : reading.kind,
    );
    assert.deepEqual(actions, [
      [3, 'adopt'],
      [2, 'undo'],
      [1, 'adopt'],
    ]);
  });

  it('restores any version over whatever the file holds, and can undo that too', async () => {
    const { machine, store } = await ready();
    await adoptText(store, 'p1', skillText, 'one');
    await adoptText(store, 'p2', 'one', 'two');
    await writeFile(machine.skillPath, 'mine');
    const shown = await readVersion(store, { seq: 1, side: 'after' });
    assert.equal(Buffer.from(shown ?? []).toString(), 'one');
    const receipt = await restoreVersion(store, { seq: 1, side: 'after' }, neverAborted);
    assert.equal(receipt.action, 'restore');
    assert.equal(await textOf(machine), 'one');
    await undoLast(store, neverAborted);
    assert.equal(await textOf(machine), 'mine');
    await restoreVersion(store, { seq: 1, side: 'before' }, neverAborted);
    assert.equal(await textOf(machine), skillText);
  });

  it('has no version that was never adopted', async () => {
    const { store } = await ready();
    await assert.rejects(restoreVersion(store, { seq: 7, side: 'after' }, neverAborted), { code: 'nothing-to-undo' });
  });

  it('does not restore from a backup that was changed', async () => {
    const { machine, store } = await ready();
    const { documents } = await adoptText(store, 'p1', skillText, 'one');
    const hash = documents[0]?.before ?? '';
    await writeFile(path.join(store.folder, 'backups', hash.slice(0, 2), hash), 'poison');
    await assert.rejects(undoLast(store, neverAborted), { code: 'nothing-to-undo' });
    assert.equal(await textOf(machine), 'one');
  });

  it('shows a broken receipt as broken and writes none over it', async () => {
    const { store } = await ready();
    await adoptText(store, 'p1', skillText, 'one');
    await writeFile(path.join(store.folder, 'receipts', store.places.skillId, '000002.json'), '{');
    const receipt = await adoptText(store, 'p2', 'one', 'two');
    assert.equal(receipt.seq, 3);
    assert.deepEqual(
      (await listReceipts(store)).map(({ kind }) => kind),
      ['verified', 'broken', 'verified'],
    );
  });
});

describe('the last adoption', () => {
  it('is none where there are no receipts', () => assert.equal(lastAdoption([]), undefined));
});

async function ready(text = skillText): Promise<{ readonly machine: Machine; readonly store: SkillStore }> {
  const machine = await aMachine(text);
  return { machine, store: await aStore(machine) };
}

async function adoptText(store: SkillStore, id: string, before: string, after: string) {
  const proposal = aProposal(store, { id, documents: [aDocument(before, after)] });
  return adopt(store, { reading: { kind: 'verified', proposal }, attended: true }, neverAborted);
}

async function note(store: SkillStore, proposalId: string, before: string, after: string) {
  const bytes = { before: Buffer.from(before), after: Buffer.from(after) };
  return noteAdoption(
    store,
    { note: { proposalId, verdict: 'unmeasured', edits: ['E1'] }, document, ...bytes },
    neverAborted,
  );
}

/** Accepts of one proposal, saved one after the other in an editor. */
async function acceptInTurn(machine: Machine, store: SkillStore, texts: readonly string[]): Promise<void> {
  let before = skillText;
  for (const after of texts) {
    await writeFile(machine.skillPath, after);
    await note(store, 'p1', before, after);
    before = after;
  }
}

/** What an undo or a redo in the editor leaves. */
async function noteStep(store: SkillStore, before: string, after: string) {
  const bytes = { before: Buffer.from(before), after: Buffer.from(after) };
  return noteAdoption(
    store,
    { note: { proposalId: 'p1', verdict: 'unmeasured', edits: [] }, document, ...bytes },
    neverAborted,
  );
}

async function textOf(machine: Machine): Promise<string> {
  return readFile(machine.skillPath, 'utf8');
}
