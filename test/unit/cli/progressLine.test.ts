import assert from 'node:assert/strict';
import { createProgress, waitingLine } from '../../../src/cli/progress/progressLine.js';
import { openTerminal } from '../../../src/cli/terminal.js';
import { foldEvent } from '../../../src/engine/journal/foldEvent.js';
import type { RunEvent } from '../../../src/engine/journal/runEvents.js';
import { emptySummary } from '../../../src/engine/journal/runSummary.js';
import { aCall, aRunStarted } from '../../builders/runEvents.js';

const started = aRunStarted({ models: { target: 'm', optimizer: 'm', judge: 'm', simulated: true } });
const call = aCall();
const events: readonly RunEvent[] = [
  started,
  { kind: 'stage', stage: 'baseline', step: 0, planned: 10 },
  call,
  call,
  { kind: 'stage', stage: 'certify', step: 1, planned: 20 },
];

describe('the progress of a run in a terminal', () => {
  it('is a live line with a bar, the share, the time left, the stage and the spend', () => {
    const lines = shown({ live: true }).split('\r\u001b[2K').slice(1);
    assert.equal(lines[0], `█${'░'.repeat(19)} 1 % · held-out tasks under the skill as it is · 0 calls · 0 tokens`);
    assert.match(lines[1] ?? '', /^█░+ 1 % · held-out tasks .* · 1 calls · 100 tokens · 0\.01 USD$/);
    assert.match(
      lines.at(-1) ?? '',
      /^█{10,}░+ \d\d % · less than 1 min left · measuring on fresh attempts, round 1 · 2 calls/,
    );
  });

  it('is one plain line a stage where nobody watches', () => {
    const lines = shown({ live: false }).split('\n');
    assert.equal(lines[0], 'held-out tasks under the skill as it is: 10 attempts to make, 1 % done');
    assert.match(lines[1] ?? '', /^measuring on fresh attempts, round 1: 20 attempts to make, \d\d % done$/);
    assert.equal(lines.length, 3);
  });

  it('is one more line a minute where nobody watches and a stage takes long', () => {
    const slow = [...events.slice(0, 2), ...Array.from({ length: 70 }, () => call)];
    const lines = shown({ live: false, told: slow }).trimEnd().split('\n');
    assert.equal(lines.length, 3, lines.join('\n'));
    for (const line of lines.slice(1))
      assert.match(line, /^held-out tasks under the skill as it is: \d+ % · .*left · \d+ calls · [\d,]+ tokens$/);
  });

  it('says once that nobody answers where nobody watches, and on the live line instead of the time left', () => {
    const dead = [...events, ...Array.from({ length: 4 }, (): RunEvent => ({ ...call, error: 'unavailable' }))];
    const lines = shown({ live: false, told: dead }).split('\n');
    assert.match(
      lines[2] ?? '',
      /^\d\d % · no answer for 8 s, 2 calls failed$|^\d\d % · no answer for \d+ s, 3 calls failed$/,
    );
    assert.equal(lines.length, 4);
    const live = shown({ live: true, told: dead }).split('\r\u001b[2K').at(-1) ?? '';
    assert.match(live, / % · no answer for 10 s, 4 calls failed · measuring/);
    assert.doesNotMatch(live, /left/);
  });

  it('says “up to” where calls without an answer are booked at their worst', () => {
    const told = [...events, { ...call, usd: 1.4, exact: false, error: 'unavailable' } satisfies RunEvent];
    assert.match(shown({ live: true, told }), / · up to 1\.42 USD$/);
  });

  it('begins with the skill where several are trained', () => {
    assert.match(
      shown({ live: false, named: true }),
      /^dates: held-out tasks under the skill as it is: 10 attempts to make/,
    );
    assert.match(shown({ live: true, named: true }), /dates: █░+ 1 %/);
  });
});

describe('waiting for a model in a terminal', () => {
  it('is told every few seconds in a line that lives', () => {
    const lines = waited(true);
    assert.equal(lines.length, 52);
    assert.match(lines[1] ?? '', /Waiting for the model, asked about 3 sessions: 5 s$/);
    assert.match(lines.at(-1) ?? '', /: 2 min$/);
  });

  it('is told after some seconds and once a minute in a log', () => {
    assert.deepEqual(
      waited(false).map((line) => line.split(': ')[1]),
      ['5 s\n', '60 s\n', '2 min\n'],
    );
  });
});

function waited(live: boolean): readonly string[] {
  const said: string[] = [];
  const err = (text: string): void => void said.push(text);
  const look = waitingLine(openTerminal({ color: false, live, columns: 200, out: () => undefined, err }), '3 sessions');
  for (let ms = 2_500; ms <= 130_000; ms += 2_500) look(ms);
  return said;
}

interface Shown {
  readonly live: boolean;
  readonly named?: boolean;
  readonly told?: readonly RunEvent[];
}

function shown({ live, named = false, told = events }: Shown): string {
  let said = '';
  const err = (text: string): void => void (said += text);
  const terminal = openTerminal({ color: false, live, columns: 200, out: () => undefined, err });
  const { show } = createProgress(terminal, {}, { named });
  let summary = emptySummary('r1', 0);
  for (const [index, event] of told.entries()) {
    summary = foldEvent(summary, event, index * 2_000);
    show(event, summary);
  }
  return said;
}
