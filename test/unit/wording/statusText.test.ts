import assert from 'node:assert/strict';
import { statusText, type NightlyStatus, type StatusContext } from '../../../src/wording/statusText.js';

const context: StatusContext = {
  now: Date.parse('2026-06-05T12:00Z'),
  timezone: 'UTC',
  last: undefined,
  spent: undefined,
  unmeasured: [],
  simulated: false,
};
const next = Date.parse('2026-06-06T03:17Z');

describe('statusText', () => {
  const table: readonly (readonly [name: string, status: NightlyStatus, text: string, sentence: string])[] = [
    ['off', { kind: 'off' }, '$(circle-slash) Nightly off', 'Nightly training is off.'],
    ['on', { kind: 'on', next }, '$(clock) Nightly 03:17', 'Nightly training is on. Next: tomorrow 03:17.'],
    [
      'on, days away',
      { kind: 'on', next: next + 3 * 86_400_000 },
      '$(clock) Nightly Tue 9 Jun 03:17',
      'Nightly training is on. Next: on Tue 9 Jun 03:17.',
    ],
    ['on, never', { kind: 'on', next: undefined }, '$(clock) Nightly on', 'Nightly training is on. No next time.'],
    [
      'missed',
      { kind: 'missed', due: Date.parse('2026-06-05T03:17Z') },
      '$(question) Nightly missed',
      'The night due today 03:17 did not run. Choose whether to run it now.',
    ],
    [
      'running',
      { kind: 'running', skill: 'code-review', done: 7, total: 24 },
      '$(sync~spin) Whetstone: training 8 of 24',
      'Nightly training is at work on code-review: 7 of 24 done.',
    ],
    [
      'running, with the share of the night',
      {
        kind: 'running',
        skill: 'code-review',
        done: 1,
        total: 4,
        share: { share: 0.5, leftMs: 120_000 },
      },
      '$(sync~spin) Whetstone: training 2 of 4 · 38 %',
      'Nightly training is at work on code-review: 1 of 4 done. This skill: 50 % · about 2 min left.',
    ],
    [
      'broken',
      { kind: 'broken', why: 'There is no API key for m.', cure: 'Run “Whetstone: Set API Key”.' },
      '$(warning) Nightly paused',
      'Nightly training is paused. There is no API key for m. Run “Whetstone: Set API Key”.',
    ],
  ];
  for (const [name, status, text, sentence] of table)
    it(`says what it is: ${name}`, () => {
      const words = statusText(status, context);
      assert.equal(words.text, text);
      assert.deepEqual(words.tooltip, [sentence]);
      assert.equal(words.accessibility, `Whetstone: ${sentence}`);
      assert.equal(words.warning, status.kind === 'broken');
    });

  it('adds the last night and the spend where they are known', () => {
    const words = statusText({ kind: 'off' }, { ...context, last: 'Nothing to learn.', spent: '0.12 USD' });
    assert.deepEqual(words.tooltip, [
      'Nightly training is off.',
      'Last: Nothing to learn.',
      'Spent this month: 0.12 USD',
    ]);
  });

  it('names the skills that hold an unmeasured part of a proposal, to a screen reader too', () => {
    const words = statusText({ kind: 'off' }, { ...context, unmeasured: ['dates', 'invoices'] });
    assert.equal(words.text, '$(circle-slash) Nightly off · 2 not measured');
    assert.equal(words.tooltip[1], 'Not measured: part of a proposal is in dates, invoices.');
    assert.match(words.accessibility, /Not measured: part of a proposal is in dates, invoices\.$/);
  });

  it('says “simulated” in the text, the tooltip and to a screen reader', () => {
    const words = statusText({ kind: 'on', next }, { ...context, simulated: true });
    assert.match(words.text, /simulated/u);
    assert.match(words.tooltip.join('\n'), /simulated/u);
    assert.match(words.accessibility, /Simulated/u);
  });
});
