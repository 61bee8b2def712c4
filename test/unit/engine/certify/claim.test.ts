import assert from 'node:assert/strict';
import { asSkill, originalCandidate } from '../../../../src/engine/candidate.js';
import { claimFor } from '../../../../src/engine/certify/certify.js';
import { choiceRules } from '../../../../src/engine/front/choiceOptions.js';
import { HeldOutScores } from '../../../../src/engine/stages/heldOutScores.js';
import { aRunContext } from '../../../builders/aRunContext.js';
import { aSplit } from '../../../builders/aSplit.js';

const { signal } = new AbortController();
const long = 'Answer in words. Say “alpha”. Think of everything that there is to think of.';
const alone = { before: undefined, after: undefined };

describe('what a certification is to show', () => {
  const table: readonly (readonly [
    name: string,
    before: string,
    after: string,
    'higher' | 'equal' | 'unseen',
    string,
  ])[] = [
    ['a longer text', 'Answer.', 'Answer. Say “alpha”.', 'higher', 'better'],
    ['a text of the same length', 'Answer this.', 'Answer that.', 'equal', 'better'],
    ['a shorter text that selection found as good', long, 'Answer. Say “alpha”.', 'equal', 'not-worse'],
    ['a shorter text that selection found better', long.replace('alpha', 'beta'), 'Say “alpha”.', 'higher', 'better'],
    ['a text with words taken out that nobody compared', long, 'Answer in words.', 'unseen', 'not-worse'],
    ['a shorter text in other words that nobody compared', long, 'Answer. Then stop.', 'unseen', 'better'],
  ];
  for (const [name, before, after, outcome, claim] of table) {
    it(`${name} → ${claim}`, async () => {
      const original = originalCandidate(before);
      const candidate = originalCandidate(after);
      const { context } = aRunContext();
      const { heldOut } = aSplit({ heldOut: 5 });
      const scores = new HeldOutScores(context, heldOut, asSkill(undefined));
      if (outcome !== 'unseen') {
        const selection = await scores.compare(original, candidate, 1, signal);
        assert.equal(selection.outcome, outcome);
      }
      assert.equal(claimFor({ original, candidate, memory: alone, scores }), claim);
    });
  }

  it('is no worse for every shorter text where the rule of choice asks for no more, and a gain for a longer one', () => {
    const original = originalCandidate(long);
    const texts = { original, memory: alone, scores: undefined, onTraining: 'higher' as const };
    const shorter = originalCandidate('Answer. Say “beta”.');
    const longer = originalCandidate(`${long} Be kind.`);
    const claims = choiceRules.map((rule) => claimFor({ ...texts, candidate: shorter, rule }));
    assert.deepEqual(claims, ['better', 'not-worse', 'better', 'better']);
    assert.equal(claimFor({ ...texts, candidate: longer, rule: 'shortest-not-worse' }), 'better');
  });

  it('is told by what selection saw, where only a part of that is certified', async () => {
    const original = originalCandidate(long);
    const best = originalCandidate('Answer. Say “alpha”. Be kind.');
    const part = originalCandidate('Answer. Say “alpha”.');
    const { context } = aRunContext();
    const scores = new HeldOutScores(context, aSplit({ heldOut: 5 }).heldOut, asSkill(undefined));
    await scores.compare(original, best, 1, signal);
    assert.equal(claimFor({ original, candidate: part, memory: alone, scores, selected: best }), 'not-worse');
  });

  it('counts the memory file that goes along', () => {
    const text = originalCandidate('Answer.');
    const memory = { before: 'Be kind. Be brief.', after: 'Be kind.' };
    assert.equal(claimFor({ original: text, candidate: text, memory, scores: undefined }), 'not-worse');
    assert.equal(
      claimFor({ original: text, candidate: text, memory: { before: 'Be', after: 'Be kind.' }, scores: undefined }),
      'better',
    );
  });
});
