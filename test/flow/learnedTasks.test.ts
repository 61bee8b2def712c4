import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import { say } from '../builders/aRunContext.js';
import { aCertificationWorld, skillText, type CertificationWorld, type TaskRow } from './certificationWorld.js';
import { few } from '../builders/few.js';

const worlds: CertificationWorld[] = [];
const neverAborted = new AbortController().signal;

describe('a later run and the tasks that an earlier one has learned from', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  it('proves nothing on them, though the workspace forgot who was where and they have new names', async () => {
    const world = await aWaitingProposal();
    swapSides(world, (row) => ({ ...row, id: `new-${row.id}`, prompt: `${row.prompt}!` }));
    const { result, events } = await world.optimize();
    assert.equal(result.proposal?.verdict.kind, 'unmeasured');
    assert.ok(
      notesIn(events).includes(
        'The held-out task “new-training-0” cannot prove anything: a run on this machine has learned from it.',
      ),
    );
  });

  it('learns from them again where only the memory of the sides is lost', async () => {
    const world = await aWaitingProposal();
    rmSync(splitFile(world), { force: true });
    const { result } = await world.optimize();
    assert.equal(result.proposal?.verdict.kind, 'accepted');
  });
});

/** Whatever the files say of the sides by now: what a run has learned from proves nothing of what it proposes. */
describe('a proposal and the tasks that its run has learned from', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  const disguises: readonly (readonly [string, (row: TaskRow) => TaskRow])[] = [
    ['under new names and with another mark', (row) => ({ ...row, id: `new-${row.id}`, prompt: `${row.prompt}!` })],
    ['as they were', (row) => row],
  ];
  for (const [name, disguise] of few(disguises)) {
    it(`is not certified by gathering evidence on them, held out ${name}`, async () => {
      const world = await aWaitingProposal();
      swapSides(world, disguise);
      const { result, asked } = await world.gather();
      assert.deepEqual(result.proposal?.verdict.kind, 'unmeasured');
      assert.deepEqual(asked, []);
    });

    it(`is not certified after a rebase on them, held out ${name}`, async () => {
      const world = await aWaitingProposal();
      writeFileSync(world.skillPath, `${readFileSync(world.skillPath, 'utf8')}\nBy hand.\n`);
      await world.useCases.rebase(placeOf(world), neverAborted);
      swapSides(world, disguise);
      const { result } = await world.gather();
      assert.deepEqual(result.proposal?.verdict.kind, 'unmeasured');
    });

    it(`is not measured in parts on them, held out ${name}`, async () => {
      const world = await aWaitingProposal();
      swapSides(world, disguise);
      const { verdict } = await world.measure(skillText, `${skillText}\nSay “alpha”.\n`);
      assert.deepEqual(verdict.kind, 'unmeasured');
    });
  }

  it('is certified on the others, and a note names those that were left out', async () => {
    const world = await aWaitingProposal();
    rmSync(splitFile(world), { force: true });
    world.rewriteTasks((row) => (row.id === 'training-0' ? { ...row, split: 'heldOut' } : row));
    const { result, events } = await world.gather();
    assert.equal(result.proposal?.verdict.kind, 'accepted');
    assert.equal(result.proposal.comparisons.length, 6);
    assert.equal(
      result.proposal.comparisons.some(({ id }) => id === 'training-0'),
      false,
    );
    const [note, ...others] = notesIn(events).filter((text) => text.includes('cannot prove anything'));
    assert.match(note ?? '', /^The held-out task “training-0” cannot prove anything: .* has learned from it\.$/);
    assert.deepEqual(others, []);
  });
});

async function aWaitingProposal(): Promise<CertificationWorld> {
  const world = aCertificationWorld({ edits: [say('alpha')], training: 6, heldOut: 6 });
  worlds.push(world);
  const { result } = await world.optimize({ gate: { rule: 'off' } });
  assert.equal(result.proposal?.verdict.kind, 'unmeasured');
  return world;
}

/** What a person could do to the files: forget who was where, and hold out what was learned from. */
function swapSides(world: CertificationWorld, disguise: (row: TaskRow) => TaskRow): void {
  rmSync(splitFile(world), { force: true });
  world.rewriteTasks((row) =>
    row.split === 'training' ? { ...disguise(row), split: 'heldOut' } : { ...row, split: 'training' },
  );
}

function splitFile({ skillPath }: CertificationWorld): string {
  return path.resolve(skillPath, '..', '..', '..', '.whetstone', 'split.json');
}

function placeOf({ skillPath }: CertificationWorld) {
  return { skillPath, workspaceFolders: [path.resolve(skillPath, '..', '..', '..')] };
}

function notesIn(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
}
