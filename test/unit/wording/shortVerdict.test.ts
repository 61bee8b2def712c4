import { strict as assert } from 'node:assert';
import type { GateFigures, Verdict } from '../../../src/gate/verdict/verdict.js';
import { shortOutcome, shortVerdict, toReview } from '../../../src/wording/shortVerdict.js';
import {
  acceptedSentence,
  rejectedSentence,
  strictSentence,
  unmeasuredSentence,
} from '../../../src/wording/verdictSentences.js';
import { someFigures } from '../../builders/aReviewProposal.js';

const figures = someFigures({ before: 0, after: 1, n: 10 });
const strict = someFigures({ before: 0.25, after: 0.375, n: 8, rule: 'strict' });
const early = someFigures({ before: 0, after: 1, n: 5, notNeeded: 3, rule: 'strict' });
const few = someFigures({ before: 0, after: 1, n: 3, notNeeded: 1, rule: 'strict' });
const fallen = someFigures({ regressed: ['t3'] });

describe('a verdict in a sentence without its statistics', () => {
  const table: readonly (readonly [name: string, verdict: Verdict, words: string])[] = [
    ['better', accepted(acceptedSentence(figures, 'better')), 'Improved from 0 % to 100 % on 10 held-out tasks.'],
    [
      'shorter',
      accepted(acceptedSentence(figures, 'not-worse')),
      'As good as before and shorter (0 % → 100 % on 10 held-out tasks).',
    ],
    [
      'by the strict rule',
      accepted(strictSentence(strict, 'accepted'), strict),
      'Improved from 25 % to 38 % on 8 held-out tasks. The strict rule does not exclude luck.',
    ],
    [
      'by the strict rule, with tasks that were not needed',
      accepted(strictSentence(early, 'accepted'), early),
      'Improved from 0 % to 100 % on the 2 of 5 held-out tasks that were attempted; the other 3 were not needed. The strict rule does not exclude luck.',
    ],
    [
      'by the strict rule on few tasks',
      accepted(strictSentence(few, 'accepted'), few),
      'Improved from 0 % to 100 % on the 2 of 3 held-out tasks that were attempted; the other one was not needed. The strict rule does not exclude luck, and there are fewer than 5 held-out tasks.',
    ],
    [
      'not higher by the strict rule on few tasks, one of which was not needed',
      rejected(strictSentence(few, 'not-higher'), few),
      'No improvement found (0 % → 100 % on the 2 of 3 held-out tasks that were attempted; the other one was not needed). There are fewer than 5 held-out tasks.',
    ],
    [
      'given up',
      rejected(rejectedSentence(figures, 'better', 'futile')),
      'No improvement found (0 % → 100 % on 10 held-out tasks). Stopped early.',
    ],
    [
      'within luck',
      rejected(rejectedSentence(figures, 'better', 'noise')),
      'Not shown: 0 % → 100 % on 10 held-out tasks, but this much may be luck.',
    ],
    [
      'on too few tasks',
      rejected(rejectedSentence(figures, 'better', 'tasks')),
      'Not shown: 0 % → 100 % on 10 held-out tasks, but too few of the tasks got better.',
    ],
    [
      'with a task that got worse',
      rejected(rejectedSentence(fallen, 'better', 'regression'), fallen),
      'No improvement found: better on average, but worse on t3.',
    ],
    [
      'with a task that got worse by the strict rule',
      rejected(strictSentence(fallen, 'regression'), fallen),
      'No improvement found: better on average, but worse on t3.',
    ],
    [
      'not higher by the strict rule',
      rejected(strictSentence(strict, 'not-higher'), strict),
      'No improvement found (25 % → 38 % on 8 held-out tasks).',
    ],
    [
      'undecided',
      { kind: 'inconclusive', reason: 'Undecided: the cap.', cause: 'cap', cure: '', figures: undefined },
      'Undecided: the cap.',
    ],
    [
      'not measured',
      { kind: 'unmeasured', cause: 'gate-off', reason: unmeasuredSentence('gate-off') },
      unmeasuredSentence('gate-off'),
    ],
  ];
  for (const [name, verdict, words] of table) {
    it(`says: ${name}`, () => assert.equal(shortVerdict(verdict), words));
  }

  it('names the skill', () => {
    assert.equal(
      `${shortVerdict(accepted(acceptedSentence(figures, 'better')), 'incident-summary')} ${toReview(5)}`,
      'incident-summary improved from 0 % to 100 % on 10 held-out tasks. 5 edits to review.',
    );
    assert.match(shortVerdict(rejected('No.'), 'incident-summary'), /^incident-summary: No improvement found/);
    assert.equal(toReview(1), '1 edit to review.');
  });

  it('says what a night came to, with the notes of the night', () => {
    const reason = acceptedSentence(figures, 'better');
    const scores = { before: 0, after: 1 };
    assert.equal(shortOutcome({ verdict: 'accepted', ...scores, reason }), 'improved (0 % → 100 %).');
    assert.equal(
      shortOutcome({
        verdict: 'rejected',
        ...scores,
        reason: `${strictSentence(strict, 'not-higher')} Adopted by hand.`,
      }),
      'no improvement found (0 % → 100 %). Adopted by hand.',
    );
    const tried = `Edits were tried, and nothing is staged. ${rejectedSentence(figures, 'better', 'futile')}`;
    assert.equal(
      shortOutcome({ verdict: 'rejected', ...scores, reason: tried }),
      'no improvement found (0 % → 100 %).',
    );
    const gain = `Edits were tried, and nothing is staged. ${rejectedSentence(figures, 'better', 'tasks')} Four nights.`;
    assert.equal(
      shortOutcome({ verdict: 'rejected', ...scores, reason: gain }),
      'not shown (0 % → 100 %). Four nights.',
    );
    assert.equal(
      shortOutcome({ verdict: undefined, before: undefined, after: undefined, reason: 'Nothing to learn.' }),
      'Nothing to learn.',
    );
  });
});

function accepted(reason: string, of: GateFigures = figures): Verdict {
  return { kind: 'accepted', reason, figures: of };
}

function rejected(reason: string, of: GateFigures = figures): Verdict {
  return { kind: 'rejected', reason, figures: of };
}
