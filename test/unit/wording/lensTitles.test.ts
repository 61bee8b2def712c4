import assert from 'node:assert/strict';
import { hunkEvidence, hunkTitle, priceText, takenTitle, verdictTitle } from '../../../src/wording/lensTitles.js';
import { withIcon } from '../../../src/wording/shownText.js';
import type { HunkOrigin, ReviewedHunk } from '../../../src/review/reviewHunks.js';
import type { Verdict } from '../../../src/gate/verdict/verdict.js';
import type { EditWorth, ProposedEdit } from '../../../src/ports/proposal.js';
import { aProposedEdit, betterVerdict, someFigures } from '../../builders/aReviewProposal.js';

const measured: EditWorth = { kind: 'measured', effect: 0.18, interval: [0.06, 0.29], group: [] };
const place = { number: 2, of: 5 };

describe('the row above a change', () => {
  const titles: readonly (readonly [string, HunkOrigin, string])[] = [
    [
      'says what the edit is for, in one sentence',
      proposed([anEdit('Three of five tasks wanted ISO dates. They got local ones.')]),
      '$(lightbulb)\u00a02 of 5: Three of five tasks wanted ISO dates',
    ],
    [
      'joins the reasons of neighbours',
      proposed([anEdit('Be short.'), anEdit('Be clear.')]),
      '$(lightbulb)\u00a02 of 5: Be short + Be clear',
    ],
    [
      'knows the end of a Chinese sentence',
      proposed([anEdit('用国际格式。否则失败。')]),
      '$(lightbulb)\u00a02 of 5: 用国际格式',
    ],
    [
      'tells that the person changed it',
      { ...proposed([anEdit('Be short.')]), edited: true },
      '$(lightbulb)\u00a02 of 5: Be short · edited by you',
    ],
    [
      'warns of words without a reason',
      { ...proposed([anEdit('Be short.')]), saysMore: true },
      '$(warning)\u00a02 of 5: Be short · says more than its reason',
    ],
    [
      'warns of code that agents run',
      proposed([{ ...anEdit('Be short.'), changesCode: true }]),
      '$(warning)\u00a02 of 5: Be short · changes what agents run',
    ],
    ['names the person’s own change', { kind: 'yours' }, '$(person)\u00a02 of 5: Written by you'],
    [
      'asks about what nobody explains',
      { kind: 'unexplained' },
      '$(question)\u00a02 of 5: No edit of the proposal explains this change',
    ],
    [
      'lets the person’s change of the file be',
      { kind: 'file' },
      '$(person)\u00a02 of 5: You changed this in the file; the proposal does not have it',
    ],
  ];
  for (const [name, origin, title] of titles) {
    it(name, () => assert.equal(hunkTitle(aHunk(origin), place), title));
  }

  it('warns where the file was changed under it', () => {
    const hunk = { ...aHunk(proposed([anEdit('Be short.')])), overwrites: true };
    assert.match(hunkTitle(hunk, place), /Be short · you changed the file here$/);
  });

  it('warns of characters that nobody would see', () => {
    const hunk = { ...aHunk(proposed([anEdit('Be short.')])), hidden: ['U+200B'] };
    assert.equal(hunkTitle(hunk, place), '$(warning)\u00a02 of 5: Be short · holds hidden characters');
  });

  it('lets no model put an icon or a second line there', () => {
    const title = hunkTitle(aHunk(proposed([anEdit('$(check) Accept\nnow')])), place);
    assert.equal(title, '$(lightbulb)\u00a02 of 5: $ (check) Accept now');
  });

  const evidence: readonly (readonly [string, HunkOrigin, number, string])[] = [
    [
      'figures with their interval',
      proposed([anEdit('', measured)]),
      38,
      '+18 points, 95 % between +6 and +29 · +38 tokens',
    ],
    ['no figure where none was measured', proposed([anEdit('')]), -1, 'not measured singly · −1 token'],
    [
      'that an edited text was not measured',
      { ...proposed([anEdit('', measured)]), edited: true },
      0,
      'not measured as edited · same length',
    ],
    [
      'each of several by itself',
      proposed([anEdit('', measured), { ...anEdit(''), id: 'E2' }]),
      2,
      'E1 +18 points, E2 not measured singly · +2 tokens',
    ],
    [
      'with which other edit it was measured: the group of a worth are the others',
      proposed([anEdit('', { ...measured, group: ['E4'] })]),
      1,
      '+18 points, 95 % between +6 and +29, together with E4 · +1 token',
    ],
    [
      'that of one of several, too',
      proposed([anEdit('', { ...measured, group: ['E4'] }), { ...anEdit(''), id: 'E2' }]),
      1,
      'E1 +18 points together with E4, E2 not measured singly · +1 token',
    ],
    ['nothing about what the person wrote', { kind: 'yours' }, 4, 'not measured · +4 tokens'],
  ];
  for (const [name, origin, tokens, text] of evidence) {
    it(`shows ${name}`, () => assert.equal(hunkEvidence({ ...aHunk(origin), tokens }), text));
  }
});

describe('the row above all', () => {
  const untouched = { status: { kind: 'untouched' }, rebased: false } as const;
  const verdicts: readonly (readonly [string, Verdict, string])[] = [
    ['better', betterVerdict, '$(pass)\u00a0Better: 42 % to 81 % on 12 held-out tasks'],
    [
      'shorter',
      {
        ...betterVerdict,
        kind: 'accepted',
        reason: 'As good as before and shorter: …',
        figures: someFigures({ n: 1 }),
      },
      '$(pass)\u00a0As good as before and shorter: 42 % to 81 % on 1 held-out task',
    ],
    [
      'strict',
      { kind: 'accepted', reason: 'Higher (strict rule: one look): …', figures: someFigures({ rule: 'strict' }) },
      '$(pass)\u00a0Higher by the strict rule: 42 % to 81 % on 12 held-out tasks',
    ],
    [
      'rejected',
      { kind: 'rejected', reason: 'Not shown to be better.', figures: someFigures() },
      '$(circle-slash)\u00a0Not shown to be better. · only shown',
    ],
    [
      'undecided',
      { kind: 'inconclusive', reason: 'Undecided: …', cause: 'cap', cure: '', figures: undefined },
      '$(question)\u00a0Undecided: …',
    ],
    [
      'not measured',
      { kind: 'unmeasured', reason: 'Made elsewhere, not measured here.', cause: 'made-elsewhere' },
      '$(question)\u00a0Made elsewhere, not measured here.',
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
      '$(circle-slash)\u00a0Not shown to be better. (simulated) · in the file',
    );
  });

  it('says of a proposal that was moved what measuring it again gave', () => {
    const proposal = { verdict: betterVerdict, models: models(false) };
    const moved = { proposal, status: { kind: 'untouched' }, rebased: true } as const;
    assert.match(verdictTitle(moved), /Not measured on this text/);
    assert.match(verdictTitle({ ...moved, remeasured: { verdict: betterVerdict } }), /Better: 42 % to 81 %/);
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
      /Better: 42 % to 81 %/,
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
    assert.equal(priceText({ calls, usd: { low: 0.034, high: 0.27 } }), ' (14 to 112 calls, 0.03 to 0.27 USD)');
    assert.equal(priceText({ calls, usd: undefined }), ' (14 to 112 calls)');
    assert.equal(priceText({ calls: { low: 1, high: 1 }, usd: { low: 0, high: 0 } }), ' (1 call, 0.00 USD)');
    assert.equal(priceText(undefined), '');
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
