import assert from 'node:assert/strict';
import type { Edit } from '../../src/skill/edits/edit.js';
import { chance, neverSay, say, type Ability } from '../builders/aRunContext.js';
import {
  aCertificationWorld,
  editsOf,
  skillText,
  type CertificationWorld,
  type WorldParts,
} from './certificationWorld.js';

const worlds: CertificationWorld[] = [];

describe('a bundle that was rejected before its edits were measured singly', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  it('is searched afterwards, and the part worth keeping is certified by itself, both paid for', async () => {
    const world = aWorld({ edits: [say('alpha'), neverSay('alpha')], ability: luckyInSelection });
    const ran = await world.optimize();
    const { proposal, summary } = ran.result;
    assert.equal(proposal?.verdict.kind, 'accepted');
    assert.deepEqual(editsOf(ran), ['- Say “alpha”.']);
    assert.equal((await world.record()).budget.certifications.length, 2);
    assert.match(summary.notes.join('\n'), /All 2 edits together: Not shown to be better/);
    assert.deepEqual(
      ran.events.filter((event) => event.kind === 'worths').map(({ kept, dropped }) => [kept, dropped]),
      [[['E1'], ['E2']]],
    );
  });

  it('is searched in a night as well', async () => {
    const world = aWorld({ edits: [say('alpha'), neverSay('alpha')], ability: luckyInSelection });
    const ran = await world.optimize({}, { purpose: 'night' });
    assert.equal(ran.result.proposal?.verdict.kind, 'accepted');
    assert.deepEqual(editsOf(ran), ['- Say “alpha”.']);
    assert.equal((await world.record()).budget.certifications.length, 2);
  });

  it('is certified no third time, whatever becomes of the part', async () => {
    const world = aWorld({ edits: [say('alpha'), neverSay('alpha')], ability: neverCertified });
    const { result } = await world.optimize();
    assert.equal(result.proposal?.verdict.kind, 'rejected');
    assert.equal((await world.record()).budget.certifications.length, 2);
  });

  it('is certified once where no part of it helps', async () => {
    const world = aWorld({
      edits: [say('beta'), say('gamma')],
      ability: (skill, _prompt, sample) =>
        sample.includes('selection') && skill.includes('beta') ? 'alpha' : 'Nothing.',
    });
    const { result } = await world.optimize();
    assert.equal(result.proposal?.verdict.kind, 'rejected');
    assert.equal((await world.record()).budget.certifications.length, 1);
    const worths = result.proposal?.documents[0]?.edits.map(({ worth }) => worth.kind);
    assert.deepEqual(worths, ['measured', 'measured'], 'what was found out is shown');
  });

  it('is not searched again where the worth of its edits was measured before', async () => {
    const world = aWorld({ edits: [say('alpha'), neverSay('alpha')], ability: luckyInSelection });
    const { result, events } = await world.optimize({ gate: { attribution: true } });
    assert.equal(result.proposal?.verdict.kind, 'accepted');
    assert.equal(events.filter((event) => event.kind === 'worths').length, 1);
    assert.equal((await world.record()).budget.certifications.length, 1);
  });

  it('has a part that is inconclusive where the error budget held one certification only', async () => {
    const world = aWorld({ edits: [say('alpha'), neverSay('alpha')], ability: luckyInSelection });
    for (const word of ['one', 'two', 'three']) await world.measure(skillText, `${skillText}\nBe kind ${word}.\n`);
    const ran = await world.optimize();
    const verdict = ran.result.proposal?.verdict;
    assert.ok(verdict?.kind === 'inconclusive' && verdict.cause === 'error-budget-empty');
    assert.deepEqual(editsOf(ran), ['- Say “alpha”.']);
  });
});

describe('a candidate that only shortens the skill', () => {
  after(() => worlds.splice(0).forEach((world) => world.dispose()));

  const idle = 'Think of everything that there is to think of.\n';
  const longer = `${skillText}\n${idle}\nSay “alpha” on some days.\n`;
  const cut: Edit = { op: 'delete', anchor: idle.trim(), rationale: 'It changes nothing.' };

  it('is taken between equals, and passes by not being worse', async () => {
    const world = aWorld({ heldOut: 12, skill: longer, edits: [cut], ability: everySecondTask });
    const { result } = await world.optimize();
    const verdict = result.proposal?.verdict;
    assert.equal(verdict?.kind, 'accepted');
    assert.match(verdict?.reason ?? '', /^As good as before and shorter/);
    assert.equal(result.summary.steps[0]?.reason, 'held-out tasks scored the same, and the skill got shorter');
    assert.ok(!(result.proposal?.documents[0]?.candidateText.includes('Think of') ?? true));
    assert.equal((await world.record()).budget.certifications.length, 1, 'it is paid for like any other');
  });

  it('is rejected where it loses more than the margin', async () => {
    const world = aWorld({ heldOut: 12, skill: longer, edits: [cut], ability: worseWithoutThought });
    const verdict = (await world.optimize()).result.proposal?.verdict;
    assert.equal(verdict?.kind, 'rejected');
    assert.match(verdict?.reason ?? '', /^Not shown to stay within 10 points of before/);
  });

  it('has to be better where selection found it better', async () => {
    const better: Edit = { op: 'replace', anchor: idle.trim(), content: 'Say “alpha”.', rationale: 'Shorter.' };
    const world = aWorld({ heldOut: 12, skill: `${skillText}\n${idle}`, edits: [better] });
    const verdict = (await world.optimize()).result.proposal?.verdict;
    assert.equal(verdict?.kind, 'accepted');
    assert.match(verdict?.reason ?? '', /^Better: /);
  });

  it('is only a working branch, and not proposed, where it is no shorter', async () => {
    const same: Edit = { ...cut, op: 'replace', content: `${idle.trim()} And on.` };
    const world = aWorld({ heldOut: 12, skill: longer, edits: [same], ability: everySecondTask });
    const { result } = await world.optimize();
    assert.equal(result.proposal, undefined);
    assert.equal(result.summary.steps[0]?.decision, 'keep_as_branch');
  });

  it('passes the same way when the person measures it', async () => {
    const world = aWorld({ heldOut: 12, skill: longer, ability: everySecondTask });
    const { verdict } = await world.measure(longer, longer.replace(idle, ''));
    assert.equal(verdict.kind, 'accepted');
    assert.match(verdict.reason, /^As good as before and shorter/);
    const reworded = await world.measure(longer, longer.replace(idle, 'Think.\n'));
    assert.match(reworded.verdict.reason, /^Not shown to be better/);
  });
});

/** Selection looks at a good day: there the word is said although it is forbidden as well. */
const luckyInSelection: Ability = (skill, _prompt, sample) => {
  const told = skill.includes('Say “alpha”');
  const forbidden = skill.includes('Never say “alpha”') && !sample.includes('selection');
  return told && !forbidden ? 'alpha' : 'Nothing.';
};

/** Every second task passes, whatever the skill says: there is something to learn, and nothing to gain by these edits. */
const everySecondTask: Ability = (_skill, prompt) => (/ \d*[02468]:/.test(prompt) ? 'alpha' : 'Nothing.');

const neverCertified: Ability = (skill, prompt, sample) =>
  sample.includes('certification') ? 'Nothing.' : luckyInSelection(skill, prompt, sample);

const worseWithoutThought: Ability = (skill, prompt, sample) => {
  const worse = sample.includes('certification') && !skill.includes('Think of') && chance(prompt) < 0.5;
  return worse ? 'Nothing.' : everySecondTask(skill, prompt, sample);
};

function aWorld(parts: WorldParts = {}): CertificationWorld {
  const world = aCertificationWorld(parts);
  worlds.push(world);
  return world;
}
