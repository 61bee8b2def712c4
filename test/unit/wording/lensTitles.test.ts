import assert from 'node:assert/strict';
import {
  decidedHereTitle,
  finishedTitle,
  hunkTitle,
  nextInTitle,
  priceText,
  takenTitle,
  verdictTitle,
} from '../../../src/wording/lensTitles.js';
import { withIcon } from '../../../src/wording/shownText.js';
import type { HunkOrigin } from '../../../src/review/openChange.js';
import type { ReviewedHunk } from '../../../src/review/reviewHunks.js';
import type { Verdict } from '../../../src/gate/verdict/verdict.js';
import type { EditWorth, ProposedEdit } from '../../../src/ports/proposal.js';
import { aProposedEdit, betterVerdict, someFigures } from '../../builders/aReviewProposal.js';

const measured: EditWorth = { kind: 'measured', effect: 0.18, interval: [0.06, 0.29], group: [] };
const place = { number: 2, of: 5 };

describe('the row above a change', () => {
  const titles: readonly (readonly [string, HunkOrigin, string])[] = [
    [
      'says which it is and what it is worth',
      proposed([anEdit('Why.', measured)]),
      'lightbulb 2 of 5 · E1 · +18 pts on training tasks',
    ],
    [
      'gives no figure where none was measured',
      proposed([anEdit('Why.')]),
      'lightbulb 2 of 5 · E1 · not measured singly',
    ],
    [
      'says with which other edit it was measured: the group of a worth are the others',
      proposed([anEdit('', { ...measured, group: ['E4'] })]),
      'lightbulb 2 of 5 · E1 · +18 pts with E4 on training tasks',
    ],
    [
      'names edits that can only be decided together, each with its own worth',
      proposed([anEdit('', measured), { ...anEdit(''), id: 'E2' }]),
      'lightbulb 2 of 5 · E1, E2 only together · E1 +18 pts on training tasks, E2 not measured singly',
    ],
    [
      'names the environment that proposed it',
      proposed([{ ...anEdit('Why.', measured), source: 'environment', environment: 'post' }]),
      'lightbulb 2 of 5 · E1 · +18 pts on training tasks · proposed by the environment “post”',
    ],
    [
      'tells that the person changed it',
      { ...proposed([anEdit('Be short.', measured)]), edited: true },
      'lightbulb 2 of 5 · E1 · edited by you · not measured as edited',
    ],
    [
      'warns of words without a reason',
      { ...proposed([anEdit('Be short.', measured)]), saysMore: true },
      'warning 2 of 5 · E1 · says more than its reason · +18 pts on training tasks',
    ],
    [
      'warns of code that agents run',
      proposed([{ ...anEdit('Be short.', measured), changesCode: true }]),
      'warning 2 of 5 · E1 · changes what agents run · +18 pts on training tasks',
    ],
    ['names the person’s own change', { kind: 'yours' }, 'person 2 of 5 · Written by you · not measured'],
    [
      'asks about what nobody explains',
      { kind: 'unexplained' },
      'question 2 of 5 · No edit of the proposal explains this change',
    ],
    [
      'lets the person’s change of the file be',
      { kind: 'file' },
      'person 2 of 5 · You changed this in the file; the proposal does not have it',
    ],
  ];
  for (const [name, origin, title] of titles) {
    it(name, () => assert.equal(said({ ...aHunk(origin), tokens: 3 }), title));
  }

  it('warns where the file was changed under it', () => {
    assert.match(
      said({ ...aHunk(proposed([anEdit('Be short.')])), overwrites: true }),
      / · you changed the file here · /,
    );
  });

  it('warns of characters that nobody would see', () => {
    const hunk = { ...aHunk(proposed([anEdit('Be short.')])), hidden: ['U+200B'] };
    assert.match(said(hunk), /^warning 2 of 5 · .* · holds hidden characters · /);
  });

  it('lets no stranger put an icon or a second line there', () => {
    const hunk = aHunk(proposed([anEdit('', { ...measured, group: ['$(check) Accept\nnow'] })]));
    assert.match(said(hunk), /with \$ \(check\) Accept now on training tasks$/);
  });
});

function said(hunk: ReviewedHunk): string {
  return hunkTitle(hunk, place).replace(/^\$\((.*?)\)\u00a0/, '$1 ');
}

function leftTitle(open: number, file?: string): string {
  return decidedHereTitle(open, file).replace(/^.*\u00a0/u, '');
}

describe('a proposal with other files', () => {
  it('says where the next edit lies, and what is left once this file is decided', () => {
    assert.equal(nextInTitle('references/tone.md'), withIcon('arrow-right', 'Next in references/tone.md'));
    assert.equal(leftTitle(1, 'SKILL.md'), 'Decided in this file: 1 edit is left in SKILL.md');
    assert.equal(leftTitle(1), 'Decided in this file: 1 edit is left in another one');
    assert.equal(leftTitle(3, 'SKILL.md'), 'Decided in this file: 3 edits are left in others');
  });

  it('cannot bring an icon by the name of a file', () => {
    assert.doesNotMatch(nextInTitle('$(check) Accept').replace(/^\$\(arrow-right\)/u, ''), /\$\(check\)/u);
  });
});

describe('the end of a review', () => {
  const ends = [
    ['untouched', { kind: 'untouched' }, 'Review finished: all rejected · skill unchanged'],
    ['whole', { kind: 'whole' }, 'Review finished: all accepted'],
    [
      'part',
      { kind: 'unmeasured', cause: 'partly-accepted', taken: 1, of: 5 },
      'Review finished: 1 accepted, 4 rejected',
    ],
    ['by hand', { kind: 'unmeasured', cause: 'edited-by-hand', taken: 5, of: 5 }, 'Review finished'],
    ['measured', { kind: 'measured', verdict: betterVerdict }, 'Review finished'],
  ] as const;
  for (const [name, status, words] of ends) {
    it(`says what came of it: ${name}`, () => assert.equal(finishedTitle(status).split('\u00a0')[1], words));
  }
});

describe('the row above all', () => {
  const untouched = { status: { kind: 'untouched' }, rebased: false } as const;
  const verdicts: readonly (readonly [string, Verdict, string])[] = [
    ['better', betterVerdict, '$(pass)\u00a0Improved from 42 % to 81 % on 12 held-out tasks'],
    [
      'shorter',
      {
        ...betterVerdict,
        kind: 'accepted',
        reason: 'As good as before and shorter: …',
        figures: someFigures({ n: 1 }),
      },
      '$(pass)\u00a0As good as before and shorter (42 % → 81 % on 1 held-out task)',
    ],
    [
      'strict',
      { kind: 'accepted', reason: 'Higher (strict rule: one look): …', figures: someFigures({ rule: 'strict' }) },
      '$(pass)\u00a0Improved from 42 % to 81 % on 12 held-out tasks. The strict rule does not exclude luck',
    ],
    [
      'rejected',
      { kind: 'rejected', reason: 'Not shown to be better.', figures: someFigures() },
      '$(circle-slash)\u00a0Only shown · No improvement found (42 % → 81 % on 12 held-out tasks)',
    ],
    [
      'undecided',
      { kind: 'inconclusive', reason: 'Undecided: …', cause: 'cap', cure: '', figures: undefined },
      '$(question)\u00a0Undecided: …',
    ],
    [
      'not measured',
      { kind: 'unmeasured', reason: 'Made elsewhere, not measured here.', cause: 'made-elsewhere' },
      '$(question)\u00a0From another machine, not verified here',
    ],
  ];
  for (const [name, verdict, title] of verdicts) {
    it(`says in words: ${name}`, () => {
      assert.equal(verdictTitle({ proposal: { verdict, models: models(false) }, ...untouched }), title);
    });
  }

  it('labels the simulated model', () => {
    assert.match(
      verdictTitle({ proposal: { verdict: betterVerdict, models: models(true) }, ...untouched }),
      /\(simulated\)$/,
    );
  });

  it('says what measuring a part gave, and that the simulated model answered; what is in the file is not “only shown”', () => {
    const proposal = { verdict: betterVerdict, models: models(false) };
    const verdict: Verdict = { kind: 'rejected', reason: 'Not shown to be better.', figures: someFigures() };
    const status = { kind: 'measured', verdict, simulated: true } as const;
    assert.equal(
      verdictTitle({ proposal, status, rebased: false }),
      '$(circle-slash)\u00a0No improvement found (42 % → 81 % on 12 held-out tasks) (simulated) · in the file',
    );
  });

  it('says of a proposal that was moved what measuring it again gave', () => {
    const proposal = { verdict: betterVerdict, models: models(false) };
    const moved = { proposal, status: { kind: 'untouched' }, rebased: true } as const;
    assert.match(verdictTitle(moved), /Not measured on this text/);
    assert.match(verdictTitle({ ...moved, remeasured: { verdict: betterVerdict } }), /Improved from 42 % to 81 %/);
  });

  it('does not lend the verdict to part of the proposal', () => {
    const status = { kind: 'unmeasured', cause: 'partly-accepted', taken: 2, of: 3 } as const;
    const title = verdictTitle({
      proposal: { verdict: betterVerdict, models: models(false) },
      status,
      rebased: false,
    });
    assert.equal(title, '$(warning)\u00a0Not measured: 2 of 3 edits are in the file');
  });

  it('says that it is about all the edits together, once one of them is rejected', () => {
    const proposal = { verdict: betterVerdict, models: models(false) };
    const title = (rejected: number, status: 'untouched' | 'whole' = 'untouched'): string =>
      verdictTitle({ proposal, status: { kind: status }, rebased: false, edits: { all: 5, rejected } });
    const improved = '$(pass)\u00a0Improved from 42 % to 81 % on 12 held-out tasks';
    assert.equal(title(1), `${improved} · with all 5 edits; 1 is rejected`);
    assert.equal(title(2), `${improved} · with all 5 edits; 2 are rejected`);
    assert.equal(title(0), improved);
    assert.equal(title(2, 'whole'), improved);
  });

  it('does not lend it to another text either', () => {
    const title = verdictTitle({
      proposal: { verdict: betterVerdict, models: models(false) },
      status: { kind: 'untouched' },
      rebased: true,
    });
    assert.equal(title, '$(warning)\u00a0Not measured on this text: the file changed since the run');
  });

  it('shows what measuring gave', () => {
    const status = { kind: 'measured', verdict: betterVerdict } as const;
    const rejected: Verdict = { kind: 'rejected', reason: 'No.', figures: someFigures() };
    assert.match(
      verdictTitle({ proposal: { verdict: rejected, models: models(false) }, status, rebased: true }),
      /Improved from 42 % to 81 %/,
    );
  });

  it('counts', () => {
    assert.match(
      takenTitle({ kind: 'unmeasured', cause: 'partly-accepted', taken: 1, of: 2 }),
      /1 of 2 edits is in the file/,
    );
    assert.match(
      takenTitle({ kind: 'unmeasured', cause: 'edited-by-hand', taken: 2, of: 2 }),
      /changed after it was measured/,
    );
    const calls = { low: 14, high: 112 };
    assert.equal(priceText({ calls, usd: { low: 0.034, high: 0.27 } }), '14 to 112 calls, 0.03 to 0.27 USD');
    assert.equal(priceText({ calls, usd: undefined }), '14 to 112 calls');
    assert.equal(priceText({ calls: { low: 1, high: 1 }, usd: { low: 0, high: 0 } }), '1 call, free');
    assert.equal(withIcon('check', 'Accept'), '$(check)\u00a0Accept');
  });
});

function anEdit(rationale: string, worth?: EditWorth): ProposedEdit {
  return aProposedEdit({ op: 'append', content: 'x', rationale }, worth === undefined ? {} : { worth });
}

function proposed(edits: readonly ProposedEdit[]) {
  return { kind: 'proposed', edits, edited: false, saysMore: false } as const;
}

function aHunk(origin: HunkOrigin): ReviewedHunk {
  const range = { start: 0, end: 1 };
  const hunk = { before: range, after: range, beforeText: 'a\n', afterText: 'b\n' };
  return { key: 'k', name: 'n', hunk, origin, overwrites: false, tokens: 0, hidden: [] };
}

function models(simulated: boolean) {
  return { target: 'm', optimizer: 'm', judge: 'm', simulated };
}
