import assert from 'node:assert/strict';
import { ModelError } from '../../src/errors.js';
import type { Verdict } from '../../src/gate/verdict/verdict.js';
import { say, type Ability } from '../builders/aRunContext.js';
import type { ScriptedAnswer } from '../fakes/ScriptedModel.js';
import { aCertificationWorld, type CertificationWorld, type WorldParts } from './certificationWorld.js';

const worlds: CertificationWorld[] = [];

describe('what the skill itself can cause', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  const causes: readonly { readonly name: string; readonly answer: ScriptedAnswer }[] = [
    { name: 'an answer cut at its length limit', answer: { text: 'alpha and on and on', finish: 'length' } },
    { name: 'a skill longer than the model reads', answer: new ModelError('context-length', 'Too long.') },
    { name: 'a refusal', answer: 'I cannot help with that.' },
  ];
  for (const { name, answer } of causes) {
    it(`${name} is a fail, and no pair is left out`, async () => {
      const world = aWorld({ ability: whileCertifying(() => answer) });
      const verdict = verdictOf((await world.optimize()).result.proposal);
      assert.equal(verdict.kind, 'rejected');
      assert.deepEqual([verdict.figures?.after, verdict.figures?.invalid], [0, 0]);
    });
  }
});

describe('what the world causes', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  it('is asked again, and counts for nothing where that helps', async () => {
    const failed = new Set<string>();
    const ability = whileCertifying((skill, prompt, sample) => {
      const key = `${skill}${prompt}${sample}`;
      if (failed.has(key)) return 'alpha';
      failed.add(key);
      return new ModelError('unavailable', 'The server is down.');
    });
    const { result, asked } = await aWorld({ ability }).optimize();
    const verdict = verdictOf(result.proposal);
    assert.deepEqual([verdict.kind, verdict.figures?.invalid], ['accepted', 0]);
    const tries = asked.filter(({ dependsOn }) => dependsOn?.some((part) => part.startsWith('certification:')));
    assert.ok(tries.length > (verdict.figures?.passes ?? 0) * 12, 'the failed calls were made again');
  });

  const kinds = ['timeout', 'content-filter', 'unavailable', 'malformed'] as const;
  for (const kind of kinds.slice(0, process.env['WHETSTONE_FULL'] === '1' ? kinds.length : 1)) {
    it(`is left out where it lasts, and a tenth of the pairs may be (${kind})`, async () => {
      const ability = whileCertifying((_skill, prompt, sample) =>
        prompt.includes('heldOut 1:') && sample.endsWith(',1]') ? new ModelError(kind, 'No answer.') : 'alpha',
      );
      const verdict = verdictOf((await aWorld({ heldOut: 12, ability }).optimize()).result.proposal);
      assert.deepEqual([verdict.kind, verdict.figures?.invalid, verdict.figures?.after], ['accepted', 1, 1]);
    });
  }

  it('voids the certification above a tenth: inconclusive, with what would settle it and its price', async () => {
    const world = aWorld({ ability: withoutEveryThird, model: { provider: 'openai', model: 'gpt-5-mini' } });
    const verdict = verdictOf((await world.optimize()).result.proposal);
    assert.ok(verdict.kind === 'inconclusive');
    assert.equal(verdict.cause, 'too-many-invalid');
    assert.match(verdict.reason, /pairs gave no result, and above a tenth nothing is decided/);
    assert.match(
      verdict.cure,
      /^Once the model answers reliably, measure again \(at most 8 passes, about 96 calls, 0\.\d\d USD\)\.$/,
    );
    world.change({ ability: reliable });
    const again = await world.gather();
    assert.equal(again.result.proposal?.verdict.kind, 'accepted');
    assert.equal((await world.record()).budget.certifications.length, 2, 'the void one had been paid for');
  });

  it('voids the certification where it falls on one side', async () => {
    const ability = whileCertifying((_skill, prompt) =>
      /heldOut [1-7]:/.test(prompt) ? new ModelError('content-filter', 'Refused by the filter.') : 'alpha',
    );
    const verdict = verdictOf((await aWorld({ heldOut: 20, ability }).optimize()).result.proposal);
    assert.ok(verdict.kind === 'inconclusive' && verdict.cause === 'too-many-invalid');
    assert.match(verdict.reason, /fall on one side \(original 0, candidate 7\)/);
    assert.match(verdict.cure, /^See why attempts under the candidate give no result/);
  });
});

const reliable: Ability = (skill) => (skill.includes('Say “alpha”') ? 'alpha' : 'Nothing.');

const withoutEveryThird: Ability = (skill, prompt, sample) =>
  sample.includes('certification') && / [135]:/.test(prompt)
    ? new ModelError('unavailable', 'The server is down.')
    : reliable(skill, prompt, sample);

/** Able everywhere but in deciding attempts under the candidate, which answer as they are told. */
function whileCertifying(answer: Ability): Ability {
  return (skill, prompt, sample) => {
    if (!skill.includes('Say “alpha”')) return 'Nothing.';
    return sample.includes('certification') ? answer(skill, prompt, sample) : 'alpha';
  };
}

function verdictOf(proposal: { readonly verdict: Verdict } | undefined): Exclude<Verdict, { kind: 'unmeasured' }> {
  const verdict = proposal?.verdict;
  if (verdict === undefined || verdict.kind === 'unmeasured') assert.fail('nothing was measured');
  return verdict;
}

function aWorld(parts: WorldParts = {}): CertificationWorld {
  const world = aCertificationWorld({ edits: [say('alpha')], ...parts });
  worlds.push(world);
  return world;
}
