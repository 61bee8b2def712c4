import assert from 'node:assert/strict';
import type { RunRequest } from '../../src/app/runs/runStart.js';
import { percent } from '../../src/wording/amounts.js';
import { certifySentence } from '../../src/wording/candidateText.js';
import { t } from '../../src/wording/translate.js';
import { chance, say } from '../builders/aRunContext.js';
import { aCertificationWorld, skillText, type CertificationWorld, type WorldParts } from './certificationWorld.js';

const neverAborted = new AbortController().signal;
const onThisMachine = { provider: 'custom', endpoint: 'http://127.0.0.1:4000/v1', model: 'm', simulated: false };
const texts = { before: skillText, after: `${skillText}\nSay “alpha”.\n` };
const capped = /which answers on this machine, is not known: the run is capped at (\d+) calls\./;

const worlds: CertificationWorld[] = [];

function aWorld(parts: WorldParts = {}): CertificationWorld {
  const world = aCertificationWorld({ edits: [say('alpha')], ...parts });
  worlds.push(world);
  return world;
}

function scrapWorlds(): void {
  worlds.splice(0).forEach((world) => world.dispose());
}

describe('what a measurement is held to', () => {
  afterEach(scrapWorlds);

  it('are the calls that it takes at most, where a model on this machine has no known price', async () => {
    const world = aWorld({ model: onThisMachine });
    await world.optimize({ gate: { rule: 'off' } });
    const { price } = await world.useCases.candidatePrice(requestOf(world), neverAborted);
    assert.deepEqual([price?.usd, price?.callCap, price?.calls.high], [undefined, 192, 192]);
    const { result } = await world.gather();
    assert.equal(capped.exec(result.summary.notes.join('\n'))?.[1], '192');
  });

  it('are the same calls where what was accepted is measured', async () => {
    const world = aWorld({ model: onThisMachine });
    assert.equal((await world.useCases.measurePrice({ ...requestOf(world), ...texts }, neverAborted))?.callCap, 192);
    const notes: string[] = [];
    await world.useCases.measure(
      { ...requestOf(world), ...texts },
      (event) => (event.kind === 'note' ? notes.push(event.text) : undefined),
      neverAborted,
    );
    assert.equal(capped.exec(notes.join('\n'))?.[1], '192');
  });

  it('are the caps that are set, and no more than they let through is told', async () => {
    const world = aWorld();
    await world.optimize({ gate: { rule: 'off' } });
    const held = { ...requestOf(world), settings: [{ caps: { calls: 20 } }] };
    const { price } = await world.useCases.candidatePrice(held, neverAborted);
    assert.deepEqual([price?.calls, price?.holds.run.calls, price?.repeatsHeld], [{ low: 12, high: 20 }, 20, true]);
    const measured = await world.useCases.measurePrice({ ...held, ...texts }, neverAborted);
    assert.deepEqual(measured?.calls, { low: 12, high: 20 });
  });
});

describe('the error budget that a measurement takes', () => {
  afterEach(scrapWorlds);

  it('is not taken twice where one that a cap cut off goes on, and nothing else is said', async () => {
    const world = aWorld({ ability: forgetful });
    const { result } = await world.optimize({ caps: { calls: 40 } });
    const verdict = result.proposal?.verdict;
    assert.ok(verdict?.kind === 'inconclusive' && verdict.cause === 'cap', verdict?.reason);
    const told = await world.useCases.candidatePrice(requestOf(world), neverAborted);
    assert.deepEqual([told.share, told.left].map(percent), ['0 %', '75 %']);
    assert.match(certifySentence(told, t), /; it takes nothing more of the error budget, of which 75 % are left\.$/);
    await world.gather();
    assert.equal((await world.record()).budget.certifications.length, 1);
  });

  it('is refused before a price is told where nothing is left of it, unless it is started afresh', async () => {
    const world = aWorld();
    for (let spent = 0; spent < 4; spent += 1) await world.measure(skillText, `${skillText}\nBe kind.\n`);
    await world.optimize();
    await assert.rejects(world.useCases.candidatePrice(requestOf(world), neverAborted), /used up the error budget/);
    const afresh = await world.useCases.candidatePrice({ ...requestOf(world), refill: true }, neverAborted);
    assert.deepEqual([afresh.share, afresh.left], [0.25, 1]);
  });

  it('is not asked about where it is empty: no model would be asked', async () => {
    const world = aWorld();
    for (let spent = 0; spent < 4; spent += 1) await world.measure(skillText, `${skillText}\nBe kind.\n`);
    assert.equal(await world.useCases.measurePrice({ ...requestOf(world), ...texts }, neverAborted), undefined);
    assert.deepEqual((await world.measure(texts.before, texts.after)).asked, []);
  });

  it('is not taken by the strict rule', async () => {
    const world = aWorld();
    await world.optimize({ gate: { rule: 'off' } });
    const strict = { ...requestOf(world), settings: [{ gate: { rule: 'strict' } }] };
    assert.equal((await world.useCases.candidatePrice(strict, neverAborted)).share, 0);
  });
});

/** Follows the edit more often than not: a few passes tell nothing yet. */
function forgetful(skill: string, prompt: string, sample: string): string {
  const often = skill.includes('Say “alpha”') ? 0.6 : 0.4;
  return chance(sample + prompt + skill) < often ? 'alpha' : 'Nothing.';
}

function requestOf({ skillPath }: CertificationWorld): RunRequest {
  const workspaceFolders = [skillPath.slice(0, skillPath.indexOf('workspace') + 'workspace'.length)];
  return { skillPath, workspaceFolders, preset: 'standard', settings: [], purpose: 'optimize', trusted: true };
}
