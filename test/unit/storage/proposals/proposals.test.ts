import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Proposal } from '../../../../src/ports/proposal.js';
import { canonicalJson } from '../../../../src/hash.js';
import { readDecisions, noteDecisions } from '../../../../src/storage/proposals/decisions.js';
import { seal } from '../../../../src/storage/files/sealedFile.js';
import { nodeClock } from '../../../../src/storage/files/nodeAdapters.js';
import { proposalObject } from '../../../../src/storage/proposals/proposalSchema.js';
import {
  proposalFile,
  readProposal,
  removeProposal,
  writeProposal,
} from '../../../../src/storage/proposals/proposals.js';
import { aMachine, aProposal, aStore, neverAborted, scrapMachines } from '../../../builders/storage.js';

/** Compiles only while the schema and the type say the same. */
type Same = [z.output<typeof proposalObject>, Proposal] extends [Proposal, z.output<typeof proposalObject>]
  ? true
  : never;
const schemaAndTypeAreTheSame: Same = true;

describe('a proposal file', () => {
  after(scrapMachines);

  it('gives back what was written', async () => {
    assert.ok(schemaAndTypeAreTheSame);
    const store = await aStore(await aMachine());
    assert.deepEqual(await readProposal(store), { kind: 'missing' });
    const proposal = aProposal(store);
    await writeProposal(store, proposal);
    const reading = await readProposal(store);
    assert.equal(reading.kind, 'verified');
    assert.equal(canonicalJson(reading.proposal), canonicalJson(proposal));
    assert.deepEqual(reading.proposal.answers['h1'], ['aa', undefined]);
    assert.equal(reading.proposal.sealed, undefined);
  });

  const verdicts: readonly Proposal['verdict'][] = [
    { kind: 'unmeasured', reason: 'r', cause: 'edited-by-hand' },
    { kind: 'inconclusive', reason: 'r', cause: 'too-few-tasks', cure: 'c', figures: undefined },
  ];
  for (const verdict of verdicts) {
    it(`holds a verdict that is ${verdict.kind}`, async () => {
      const store = await aStore(await aMachine());
      await writeProposal(store, aProposal(store, { verdict }));
      const reading = await readProposal(store);
      assert.equal(reading.kind === 'verified' && canonicalJson(reading.proposal.verdict), canonicalJson(verdict));
    });
  }

  it('has the same bytes whenever the same proposal is written', async () => {
    const machine = await aMachine();
    const store = await aStore(machine);
    await writeProposal(store, aProposal(store));
    const first = await readFile(proposalFile(store));
    const later = await aStore(machine, { clock: nodeClock });
    await writeProposal(later, { ...aProposal(later) });
    assert.deepEqual(await readFile(proposalFile(store)), first);
  });

  it('is one for each skill: the newest', async () => {
    const store = await aStore(await aMachine());
    await writeProposal(store, aProposal(store, { id: 'first' }));
    await writeProposal(store, aProposal(store, { id: 'second' }));
    const reading = await readProposal(store);
    assert.equal(reading.kind === 'verified' && reading.proposal.id, 'second');
    await removeProposal(store);
    assert.deepEqual(await readdir(path.dirname(proposalFile(store))), []);
  });

  it('is not written for another skill', async () => {
    const store = await aStore(await aMachine());
    await assert.rejects(writeProposal(store, aProposal(store, { skillKey: 'other' })), TypeError);
  });

  it('does not verify under the name of another skill', async () => {
    const store = await aStore(await aMachine());
    await writeProposal(store, aProposal(store));
    await rename(proposalFile(store), path.join(path.dirname(proposalFile(store)), 'other.json'));
    const other = { ...store, places: { ...store.places, skillKey: 'other' } };
    assert.equal((await readProposal(other)).kind, 'made-elsewhere');
  });

  it('is never written through a link out of the workspace', async () => {
    const machine = await aMachine();
    const store = await aStore(machine);
    const trap = path.join(machine.home, 'trap');
    await mkdir(trap);
    await symlink(trap, path.join(store.places.workspaceState, 'proposals'));
    await assert.rejects(writeProposal(store, aProposal(store)), { code: 'leads-outside' });
    assert.deepEqual(await readdir(trap), []);
  });

  it('of an earlier version gets the hunks of its edits by applying them to its base text', async () => {
    const store = await aStore(await aMachine());
    const proposal = aProposal(store);
    await writeProposal(store, proposal);
    const { documents, ...rest } = proposal;
    const older = documents.map((document) => ({
      ...document,
      edits: document.edits.map(({ hunks: _hunks, ...edit }) => edit),
    }));
    const format = { format: 'whetstone-proposal', version: 1, schema: z.any() };
    const sealing = { key: store.key, format, about: `skill ${store.places.skillKey}` };
    await writeFile(proposalFile(store), seal(sealing, { ...rest, documents: older }));
    const reading = await readProposal(store);
    assert.equal(reading.kind, 'verified');
    const [edit] = reading.proposal.documents[0]?.edits ?? [];
    assert.deepEqual(edit?.hunks, [{ before: { start: 7, end: 7 }, after: { start: 7, end: 9 } }]);
    assert.equal(reading.proposal.id, proposal.id);
  });

  it('that was made elsewhere is not believed which edit made which change', async () => {
    const store = await aStore(await aMachine());
    const claimed = [{ before: { start: 0, end: 7 }, after: { start: 0, end: 9 } }];
    const [document] = aProposal(store).documents;
    assert.ok(document !== undefined);
    const lying = { ...document, edits: document.edits.map((edit) => ({ ...edit, hunks: claimed })) };
    await writeProposal(store, aProposal(store, { documents: [lying] }));
    await writeFile(proposalFile(store), (await readFile(proposalFile(store), 'utf8')).replace('"p1"', '"p2"'));
    const reading = await readProposal(store);
    assert.equal(reading.kind, 'made-elsewhere');
    assert.deepEqual(reading.proposal.documents[0]?.edits[0]?.hunks, document.edits[0]?.hunks);
  });

  it('is refused by the schema when a field is missing', () => {
    assert.equal(proposalObject.safeParse({ id: 'x' }).success, false);
  });
});

describe('decisions on a proposal', () => {
  after(scrapMachines);

  it('gather, the newest wins, and the proposal keeps its bytes', async () => {
    const store = await aStore(await aMachine());
    await writeProposal(store, aProposal(store));
    const before = await readFile(proposalFile(store));
    await noteDecisions(
      store,
      'p1',
      { E1: { kind: 'accepted' }, E2: { kind: 'rejected', reason: 'too long' } },
      neverAborted,
    );
    await noteDecisions(store, 'p1', { E1: { kind: 'edited', content: 'shorter' } }, neverAborted);
    assert.deepEqual(await readDecisions(store, 'p1'), {
      E1: { kind: 'edited', content: 'shorter' },
      E2: { kind: 'rejected', reason: 'too long' },
    });
    assert.deepEqual(await readFile(proposalFile(store)), before);
  });

  it('belong to one proposal and are not carried over to the next', async () => {
    const store = await aStore(await aMachine());
    await noteDecisions(store, 'p1', { E1: { kind: 'accepted' } }, neverAborted);
    assert.deepEqual(await readDecisions(store, 'p2'), {});
    await noteDecisions(store, 'p2', { E2: { kind: 'accepted' } }, neverAborted);
    assert.deepEqual(await readDecisions(store, 'p2'), { E2: { kind: 'accepted' } });
  });

  it('lose none when several are made at once', async () => {
    const store = await aStore(await aMachine(), { clock: nodeClock });
    const ids = Array.from({ length: 8 }, (_, index) => `E${index}`);
    await Promise.all(ids.map((id) => noteDecisions(store, 'p1', { [id]: { kind: 'accepted' } }, neverAborted)));
    assert.deepEqual(Object.keys(await readDecisions(store, 'p1')).toSorted(), ids);
  });
});
