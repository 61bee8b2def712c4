import assert from 'node:assert/strict';
import { verdictText } from '../../src/cli/resultText.js';
import { proposalObject } from '../../src/storage/proposals/proposalSchema.js';
import { say } from '../builders/aRunContext.js';
import { aCertificationWorld, type CertificationWorld, type Ran, type WorldParts } from './certificationWorld.js';
import { few } from '../builders/few.js';

const worlds: CertificationWorld[] = [];
const two = [say('alpha'), say('gamma')];

describe('a run with the gate off', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  it('spends nothing on the worth of edits nor on sealed tasks, and announces nothing for them', async () => {
    const world = aWorld({ training: 4, heldOut: 6, sealed: 3, edits: two });
    const { calls } = await world.preflight(off);
    const ran = await world.optimize({}, unasked);
    assert.deepEqual(stagesOf(ran), ['rollout']);
    assert.equal(ran.result.proposal?.sealed, undefined);
    const bare = await aWorld({ training: 4, heldOut: 6, sealed: 0, edits: two }).preflight(off);
    assert.equal(calls.high, bare.calls.high);
    const asked = await world.preflight({ gate: { rule: 'off', attribution: true, sealed: true } });
    assert.ok(asked.calls.high > calls.high);
  });

  it('measures both where somebody asks for it', async () => {
    const world = aWorld({ training: 4, heldOut: 6, sealed: 3, edits: two });
    const ran = await world.optimize({ gate: { rule: 'off', attribution: true, sealed: true } });
    assert.deepEqual(stagesOf(ran), ['rollout', 'attribute', 'sealed']);
    assert.equal(ran.result.proposal?.sealed?.n, 3);
  });

  it('leaves sealed tasks alone with the gate on as well, where somebody says so', async () => {
    const ran = await aWorld({ sealed: 3, edits: [say('alpha')] }).optimize({ gate: { sealed: false } });
    assert.ok(!stagesOf(ran).includes('sealed'));
    assert.equal(ran.result.proposal?.verdict.kind, 'accepted');
  });
});

describe('the strict rule on few held-out tasks', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  for (const heldOut of few([3, 4])) {
    it(`decides with ${heldOut} of them, and says how few they are`, async () => {
      const world = aWorld({ heldOut, edits: [say('alpha')] });
      assert.match((await world.preflight(strict)).power, /the strict rule alone decides/);
      const verdict = (await world.optimize(strict)).result.proposal?.verdict;
      assert.equal(verdict?.kind, 'accepted');
      assert.match(verdict?.reason ?? '', /^Higher \(strict rule with fewer than 5 held-out tasks/);
    });
  }

  it('claims only the tasks that it attempted, in proposal, report and terminal', async () => {
    const world = aWorld({ heldOut: 5, edits: [say('alpha')] });
    const { proposal } = (await world.optimize(strict)).result;
    assert.ok(proposal?.verdict.kind === 'accepted');
    const { n, notNeeded } = proposal.verdict.figures;
    assert.deepEqual([n, notNeeded], [5, 3]);
    assert.match(proposal.verdict.reason, /on the 2 of 5 held-out tasks that were attempted/);
    assert.match(await world.report(), /\| held-out \| 0 % \| 100 % \| 2 of 5 \|[^]*- 2 of 5 tasks, 1 pass/);
    assert.match(
      verdictText(proposal, { skill: 'x', paint: (_, text) => text }),
      /on the 2 of 5 held-out tasks that were attempted/,
    );
    assert.deepEqual(proposalObject.parse(proposal).verdict, proposal.verdict, 'and its file keeps it');
  });

  it('decides nothing with two of them, and the confident rule nothing with four', async () => {
    const fewest = (await aWorld({ heldOut: 2, edits: [say('alpha')] }).optimize(strict)).result.proposal?.verdict;
    assert.ok(fewest?.kind === 'inconclusive' && fewest.cause === 'too-few-tasks');
    const four = (await aWorld({ heldOut: 4, edits: [say('alpha')] }).optimize()).result.proposal?.verdict;
    assert.ok(four?.kind === 'inconclusive' && four.cause === 'too-few-tasks');
  });
});

const off = { gate: { rule: 'off' } };
/** Nothing said about what else a run may do. */
const unasked = { settings: [{ train: { epochs: 1 }, ...off }] };
const strict = { gate: { rule: 'strict' } };

function stagesOf({ events }: Ran): readonly string[] {
  return [...new Set(events.flatMap((event) => (event.kind === 'attempt' ? [event.stage] : [])))];
}

function aWorld(parts: WorldParts = {}): CertificationWorld {
  const world = aCertificationWorld(parts);
  worlds.push(world);
  return world;
}
