import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { GateFigures, UnmeasuredCause, Verdict } from '../../../src/gate/verdict/verdict.js';
import { nightReadiness, type NightFacts } from '../../../src/schedule/preconditions.js';
import { describeTime } from '../../../src/wording/describeTime.js';
import { hunkTitle, priceText, verdictTitle, type SaidHunk } from '../../../src/wording/lensTitles.js';
import { powerOf } from '../../../src/gate/statistics/power.js';
import { powerSentence, settledReport, settledTaskSentence } from '../../../src/wording/powerSentence.js';
import { rationaleLabel, rationaleMarkdown } from '../../../src/wording/rationale.js';
import { statusText, type NightlyStatus } from '../../../src/wording/statusText.js';
import { english, retold, speak, t } from '../../../src/wording/translate.js';
import { figureLines, retoldReport, verdictReport } from '../../../src/wording/verdictReport.js';
import {
  acceptedSentence,
  copiesWarning,
  cutSentence,
  emptyBudgetSentence,
  lostSentence,
  rejectedSentence,
  sealedWarning,
  strictCutSentence,
  strictSentence,
  tooFewSentence,
  unmeasuredSentence,
} from '../../../src/wording/verdictSentences.js';
import { worthText } from '../../../src/wording/worthText.js';
import { aProposedEdit, aReviewDocument, aReviewProposal, someFigures } from '../../builders/aReviewProposal.js';

const chinese = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync('l10n/bundle.l10n.zh-cn.json', 'utf8')));

const unmeasuredCauses: readonly UnmeasuredCause[] = [
  'gate-off',
  'no-held-out',
  'leaked',
  'partly-accepted',
  'edited-by-hand',
  'nothing-proposed',
  'made-elsewhere',
];

const aSkill = {
  name: 's',
  path: 's/SKILL.md',
  confirmedTasks: 1,
  unsaved: false,
  heldBy: undefined,
  fingerprint: 'a',
  lastFingerprint: undefined,
};
const stoppedNight: NightFacts = {
  trusted: false,
  model: 'm',
  consented: false,
  keyPresent: false,
  capReached: '上限',
  power: 'battery',
  skills: [
    { ...aSkill, confirmedTasks: 0 },
    { ...aSkill, unsaved: true },
    { ...aSkill, lastFingerprint: 'a' },
    { ...aSkill, heldBy: '他人' },
  ],
};

/** The window is Chinese: whatever is shown about a proposal, a night or a run is, also where it was stored in English. */
describe('in the Chinese window', () => {
  before(() => speak(chinese));
  after(() => speak(undefined));

  const worth = { kind: 'measured', effect: 0.18, interval: [0.06, 0.29], group: ['E4'] } as const;
  const edit = aProposedEdit({ op: 'append', content: '用国际日期。', rationale: '' }, { lessonsFrom: ['t1'], worth });
  const other = aProposedEdit({ op: 'append', content: '写明时区。', rationale: '' }, { id: 'E2' });
  const proposed = { kind: 'proposed', edits: [edit], edited: true, saysMore: true } as const;
  const origins: readonly SaidHunk['origin'][] = [
    { ...proposed, edited: false, saysMore: false },
    proposed,
    { kind: 'yours' },
    { kind: 'file' },
    { kind: 'unexplained' },
  ];
  for (const origin of origins) {
    it(`a change that is ${origin.kind} is, in its row and its reason`, () => {
      const hunk = { origin, overwrites: true, tokens: -1, hidden: ['U+200B'] };
      const proposal = aReviewProposal([aReviewDocument('# 日期\n', [edit, other])]);
      isChinese(hunkTitle(hunk, { number: 1, of: 2 }));
      isChinese(rationaleLabel(hunk));
      isChinese(rationaleMarkdown(hunk, { proposal, skillPath: '/w/SKILL.md' }).replaceAll(/command:\S+/g, ''));
    });
  }

  it('the worth of an edit is', () => {
    assert.equal(worthText(worth, t), '在训练任务上 +18 个百分点，95 % 在 +6 和 +29 之间，与 E4 一起');
    isChinese(worthText({ kind: 'not-measured-singly' }, t));
    isChinese(priceText({ calls: { low: 14, high: 112 }, usd: { low: 0.03, high: 0.27 } }));
  });

  const cost = { calls: 12, usd: 0.02 };
  const losses = { pairs: 20, lost: 4, beforeOnly: 1, afterOnly: 3 };
  const claims = ['better', 'not-worse'] as const;
  const elsewhere = { certifications: 4, names: '“skills/demo/SKILL.md”, “a copy/skills/demo/SKILL.md”' };
  const reasons: readonly string[] = [
    ...claims.flatMap((claim) => [
      acceptedSentence(figures(), claim),
      acceptedSentence(figures({ n: 5 }), claim),
      ...(['futile', 'noise', 'tasks'] as const).map((because) => rejectedSentence(figures(), claim, because)),
    ]),
    rejectedSentence(figures({ regressed: ['t9'] }), 'better', 'regression'),
    ...(['accepted', 'not-higher'] as const).map((outcome) => strictSentence(figures({ rule: 'strict' }), outcome)),
    strictSentence(figures({ rule: 'strict', regressed: ['t9'] }), 'regression'),
    ...([4, 12] as const).flatMap((n) => [
      strictSentence(figures({ rule: 'strict', n, notNeeded: 1 }), 'accepted'),
      strictSentence(figures({ rule: 'strict', n, notNeeded: 2 }), 'not-higher'),
    ]),
    ...both(tooFewSentence(3), tooFewSentence(4)),
    ...both(lostSentence(losses, 'too-many-lost'), lostSentence(losses, 'loss-differs-by-side')),
    ...both(lostSentence(losses, 'too-many-lost', { maxPasses: 8, cost })),
    ...both(lostSentence({ ...losses, beforeOnly: 3, afterOnly: 1 }, 'loss-differs-by-side')),
    ...both(emptyBudgetSentence({ certifications: 1, newTasks: 2 })),
    ...both(emptyBudgetSentence({ certifications: 3, newTasks: 1 })),
    ...both(emptyBudgetSentence({ certifications: 4, newTasks: 1, elsewhere })),
    ...both(cutSentence({ passes: 2, maxPasses: 8, endedBy: 'cap', cost })),
    ...both(cutSentence({ passes: 2, maxPasses: 8, endedBy: 'cap', cost: { calls: 12, usd: undefined } })),
    ...both(cutSentence({ passes: 7, maxPasses: 8, endedBy: 'end-of-scores', cost: undefined })),
    ...both(strictCutSentence(cost), strictCutSentence({ calls: 1, usd: 0 }), strictCutSentence(undefined)),
    ...unmeasuredCauses.map(unmeasuredSentence),
    sealedWarning(0.2, { before: 0.5, after: 0.25, n: 4 }) ?? '',
    copiesWarning(3),
  ];
  for (const reason of reasons) it(`the stored “${reason}” is`, () => isChinese(retold(reason)));

  it('a verdict keeps its figures', () => {
    assert.equal(
      retold(acceptedSentence(figures(), 'better')),
      '更好：12 个留出任务在 3 轮中从 42 % 变为 81 %，仅凭运气最多每 80 次认证出现一次。',
    );
  });

  it('the row above all is, and so are the rows of the gate', () => {
    const verdict: Verdict = { kind: 'accepted', reason: acceptedSentence(figures(), 'better'), figures: figures() };
    const rejected: Verdict = { ...verdict, kind: 'rejected', reason: rejectedSentence(figures(), 'better', 'noise') };
    const models = { target: 'm', optimizer: 'm', judge: 'm', simulated: true };
    for (const shown of [verdict, rejected]) {
      const proposal = { verdict: shown, models };
      isChinese(verdictTitle({ proposal, status: { kind: 'untouched' }, rebased: false }));
      isChinese(verdictTitle({ proposal, status: { kind: 'untouched' }, rebased: true }));
    }
    const report = retoldReport(verdictReport(verdict, { before: 0.5, after: 0.25, n: 4 }));
    for (const line of [report.reason, ...figureLines(report, t), ...report.warnings]) isChinese(line);
    for (const taken of [1, 2]) {
      const status = { kind: 'unmeasured', cause: 'partly-accepted', taken, of: 3 } as const;
      isChinese(verdictTitle({ proposal: { verdict, models }, status, rebased: false }));
    }
  });

  it('the status of the night is, with what stops it', () => {
    const [now, timezone] = [Date.parse('2026-06-05T12:00Z'), 'UTC'];
    const context = { now, timezone, last: undefined, spent: undefined, unmeasured: ['日期'], simulated: true };
    const { stops } = nightReadiness(stoppedNight, { excluded: [], onBattery: 'skip' });
    assert.ok(stops.length > 5);
    const states: readonly NightlyStatus[] = [
      { kind: 'off' },
      { kind: 'on', next: now + 86_400_000 },
      { kind: 'on', next: now + 5 * 86_400_000 },
      { kind: 'missed', due: now },
      { kind: 'running', skill: 's', done: 1, total: 2 },
      ...stops.map(({ sentence, cure }) => ({ kind: 'broken', why: sentence, cure }) as const),
    ];
    for (const state of states) {
      const { text, tooltip, accessibility } = statusText(state, context);
      for (const shown of [text, ...tooltip, accessibility]) isChinese(shown.replaceAll('Whetstone', ''));
    }
    isChinese(describeTime(now - 86_400_000, context, t));
  });

  it('what is said before a run is', () => {
    const settled = { alwaysPass: [], alwaysFail: [] };
    for (const n of [1, 5, 6, 8, 10, 12, 16, 20, 60])
      isChinese(retold(powerSentence({ ...powerOf(n), known: { tasks: 0 }, ...settled }, english)));
    const two = [1, 2].map((id) => ({ id: String(id), attempts: 8 }));
    const known = { tasks: 9, attempts: { low: 5, high: 8 } };
    const power = { ...powerOf(12), known, alwaysPass: two, alwaysFail: two };
    isChinese(retold(powerSentence(power, english)));
    for (const instead of [undefined, { found20: 0.6, found40: 0.9 }])
      for (const line of settledReport({ ...power, instead }, english))
        isChinese(retold(line).replaceAll('whetstone tasks draft', ''));
    for (const always of ['pass', 'fail'] as const)
      isChinese(retold(settledTaskSentence({ id: '1', attempts: 8 }, always, english)));
  });

  it('why nothing was proposed is', () => {
    isChinese(retold('There is nothing to learn: the skill already passes its tasks.'));
    isChinese(
      retold('No task could be attempted: There is no API key for m. Nothing was scored and nothing was changed.'),
    );
    isChinese(retold('Edits were tried, and nothing is staged. Not measured: there are no held-out tasks.'));
  });

  it('several sentences behind one another are, each by itself', () => {
    assert.equal(
      retold('There is no API key for m. Run “Whetstone: Set API Key”.'),
      '没有 m 的 API 密钥。 请运行“Whetstone: 设置 API 密钥”。',
    );
  });

  it('a text that is made to look like many of ours at once takes no time', () => {
    const hostile = [
      `Held-out task ${', '.repeat(150)}${': passed '.repeat(150)}${' of '.repeat(150)}${' before and '.repeat(40)}X`,
      `At most ${' calls, '.repeat(200)}${' tokens, '.repeat(150)}X`,
      'a b. '.repeat(700),
    ];
    for (const text of hostile) assert.equal(retold(text), text);
  });
});

function figures(more: Partial<GateFigures> = {}): GateFigures {
  return someFigures(more);
}

function both(...said: readonly { readonly reason: string; readonly cure: string }[]): readonly string[] {
  return said.flatMap(({ reason, cure }) => [reason, cure]);
}

/** Two English words behind one another are one sentence too many. */
function isChinese(text: string): void {
  assert.match(text, /\p{Script=Han}/u);
  assert.doesNotMatch(text.replaceAll(/“[^”]*”|\$\([^)]*\)/g, ''), /[A-Za-z]{2,}[ ,:]+[A-Za-z]{2,}/);
}
