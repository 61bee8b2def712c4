import assert from 'node:assert/strict';
import type { Edit } from '../../src/skill/edits/edit.js';
import { chance, neverSay, say, type Ability } from '../builders/aRunContext.js';
import { few } from '../builders/few.js';
import { aCertificationWorld, skillText, type CertificationWorld, type WorldParts } from './certificationWorld.js';

const worlds: CertificationWorld[] = [];
const idle = 'Think of everything that there is to think of.';
const cut: Edit = { op: 'delete', anchor: idle, rationale: 'It changes nothing.' };

/** The same under every skill while edits are selected, a coin while they are certified. */
const coin: Ability = (skill, prompt, sample) => {
  if (sample.includes('training')) return 'Nothing.';
  const draw = sample.includes('certification') ? chance(`${skill}${prompt}${sample}`) : chance(prompt);
  return draw < 0.5 ? 'alpha' : 'Nothing.';
};
const able: Ability = (skill) => (skill.includes('Say “alpha”') ? 'alpha' : 'Nothing.');
const lucky: Ability = (skill, prompt, sample) =>
  skill.includes('Never say') && !sample.includes('selection') ? 'Nothing.' : able(skill, prompt, sample);

describe('what is said before a run', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  it('names what these tasks can show, in one sentence', async () => {
    const { power, tasks } = await aWorld({ heldOut: 8 }).preflight();
    assert.equal(tasks.heldOut, 8);
    assert.equal(
      power,
      'With 8 held-out tasks, a gain of 40 points is detected in 9 of 10 runs, a gain of 20 in less than half of the runs. Told assuming every pass rate: no task has 5 earlier attempts yet.',
    );
  });

  it('announces no more for the worth of edits than its bound', async () => {
    const world = aWorld({ training: 30, heldOut: 12 });
    const high = async (gate: Readonly<Record<string, unknown>>) => (await world.preflight({ gate })).calls.high;
    const none = await high({ attribution: true, attributionCalls: 1 });
    const tries = 2; // one further where thinking left no answer
    assert.equal(await high({ attribution: true }), none + tries * 79);
    assert.equal(await high({ attribution: true, attributionCalls: 200 }), none + tries * 199);
    assert.equal(await high({ attribution: true, attributionCalls: 'unbounded' }), none + tries * (27 * 30 - 1));
  });

  const runs: readonly {
    readonly name: string;
    readonly parts: WorldParts;
    readonly settings?: Readonly<Record<string, unknown>>;
  }[] = [
    { name: 'a gain', parts: { edits: [say('alpha')], ability: able } },
    {
      name: 'a shorter skill that takes many passes',
      parts: { skill: `${skillText}\n${idle}\n`, edits: [cut], ability: coin },
    },
    { name: 'a rejected bundle that is searched', parts: { edits: [say('alpha'), neverSay('alpha')], ability: lucky } },
    {
      name: 'edits measured singly first',
      parts: { edits: [say('alpha'), say('beta'), say('gamma'), say('delta')], ability: able },
      settings: { gate: { attribution: true } },
    },
    {
      name: 'edits measured singly within the bound',
      parts: {
        training: 30,
        edits: [say('alpha'), say('beta'), say('gamma'), say('delta')],
        ability: (skill, prompt, sample) =>
          chance(`${skill}${prompt}${sample}`) < 0.5 ? 'alpha' : able(skill, prompt, sample),
      },
      settings: { gate: { attribution: true } },
    },
    {
      name: 'the strict rule',
      parts: { edits: [say('alpha'), neverSay('alpha')], ability: lucky },
      settings: { gate: { rule: 'strict' } },
    },
  ];
  for (const { name, parts, settings = {} } of few(runs)) {
    it(`holds for what the run then asks: ${name}`, async () => {
      const world = aWorld({ heldOut: 12, sealed: 2, ...parts });
      const { calls } = await world.preflight(settings);
      const { result } = await world.optimize(settings);
      const { target, optimizer } = result.summary.spend;
      const asked = target.calls + optimizer.calls;
      assert.ok(asked <= calls.high, `${asked} calls, at most ${calls.high} were announced`);
      assert.ok(asked >= calls.low, `${asked} calls, at least ${calls.low} were announced`);
    });
  }
});

function aWorld(parts: WorldParts): CertificationWorld {
  const world = aCertificationWorld(parts);
  worlds.push(world);
  return world;
}
