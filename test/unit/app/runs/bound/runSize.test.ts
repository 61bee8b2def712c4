import assert from 'node:assert/strict';
import { lessSpent, sizeOf, timed, type RunSize } from '../../../../../src/app/runs/bound/runSize.js';
import { noSpend, type RoleSpend } from '../../../../../src/engine/journal/runSummary.js';

import { ScriptedModel } from '../../../../fakes/ScriptedModel.js';

const whole: RunSize = {
  calls: { low: 40, high: 1_000 },
  tokens: { low: 40_000, high: 2_000_000 },
  usd: { low: 0.04, high: 2 },
  usual: { calls: 100, tokens: 100_000, usd: 1 },
};
const spent = (of: Partial<RoleSpend>): RoleSpend => ({ ...noSpend, ...of });

describe('what is left of a run that goes on', () => {
  it('is as much money as its calls usually take, whatever the calls before it were booked at', () => {
    const cut = spent({ calls: 60, tokens: 900_000, usd: 0.9, exact: false });
    const { usual, usd, tokens, calls } = lessSpent(whole, cut, 12);
    assert.deepEqual(usual, { calls: 40, tokens: 40_000, usd: 0.4 });
    assert.deepEqual([calls.high, tokens.high, usd?.high], [940, 2_000_000, 2]);
  });

  it('is at least its ending where it did more than is usual already', () => {
    const { usual, usd } = lessSpent(whole, spent({ calls: 150, tokens: 200_000, usd: 0.2 }), 12);
    assert.deepEqual(usual, { calls: 12, tokens: 12_000, usd: 0.12 });
    assert.equal(usd?.high, 1.8);
  });

  it('is a call where nothing is certified, and nothing where no call is left', () => {
    assert.equal(lessSpent(whole, spent({ calls: 150 }), 0).usual.calls, 1);
    assert.deepEqual(lessSpent(whole, spent({ calls: 1_000, tokens: 1, usd: 2 }), 12).usual, {
      calls: 0,
      tokens: 0,
      usd: 0,
    });
  });

  it('is less by what was answered alone: a call that failed or was cancelled is made again', () => {
    const failed = lessSpent(whole, spent({ calls: 30, failedCalls: 10, usd: 0.5 }), 12);
    assert.deepEqual([failed.calls.high, failed.usual.calls, failed.usd?.high], [980, 80, 2]);
    const cancelled = lessSpent(whole, spent({ calls: 30, cancelledCalls: 10, usd: 0.5 }), 12);
    assert.deepEqual([cancelled.calls.high, cancelled.usual.calls, cancelled.usd?.high], [980, 80, 2]);
  });
});

describe('how long a run takes', () => {
  const nothing = { calls: 0, tokens: 0 };
  const planned = { target: { calls: 90, tokens: 90_000 }, optimizer: { calls: 10, tokens: 60_000 }, judge: nothing };
  const size = { ...whole, usual: { ...whole.usual, roles: planned } };
  const msPerCall = { low: 800, high: 1_500 };
  const onlyTarget = { target: { calls: 100, tokens: 50_000 }, optimizer: nothing, judge: nothing };

  it('is told by its tokens at the speed of earlier runs, each role at the length of its own calls', () => {
    const made = { roles: onlyTarget, ms: 100_000 };
    const { usual, minutes } = timed(size, { msPerCall, measured: true, made });
    assert.equal(usual.minutes, ((90 * 500 + 60_000) * 2) / 60_000);
    assert.ok(minutes.low <= usual.minutes && usual.minutes <= minutes.high);
  });

  it('is the same for what earlier runs did too', () => {
    const made = { roles: { ...planned, optimizer: { calls: 10, tokens: 90_000 } }, ms: 600_000 };
    assert.equal(Math.round(timed(size, { msPerCall, measured: true, made }).usual.minutes), 10);
  });

  it('is told by its calls where no run tells of tokens', () => {
    const { usual } = timed(size, { msPerCall: { low: 600, high: 600 }, measured: true });
    assert.equal(usual.minutes, 1);
  });

  it('is less where less is left of it', () => {
    const made = { roles: onlyTarget, ms: 100_000 };
    const left = lessSpent(size, spent({ calls: 50 }), 1);
    assert.equal(timed(left, { msPerCall, measured: true, made }).usual.minutes, ((45 * 500 + 30_000) * 2) / 60_000);
  });
});

describe('the size of a run', () => {
  it('holds at most what models may take beyond what they are asked, by their calls, and not in what is usual', () => {
    const plain = new ScriptedModel();
    const more = { inputTokens: 600, outputTokens: 127_000 };
    const limits: number[] = [];
    const takesMore = ({ maxOutputTokens }: { readonly maxOutputTokens: number }): typeof more => {
      limits.push(maxOutputTokens);
      return more;
    };
    const program = Object.assign(new ScriptedModel(), { takesMore });
    const none = { calls: 0, inputTokens: 0, outputTokens: 0 };
    const asked = { target: { calls: 10, inputTokens: 1_000, outputTokens: 10_000 }, optimizer: none, judge: none };
    const bound = { least: asked, usual: asked, most: asked };
    const bare = sizeOf(bound, { target: plain, optimizer: program, judge: program }, undefined);
    assert.equal(bare.tokens.high, 11_000); // roles that are not asked take nothing
    const { tokens, usual } = sizeOf(bound, { target: program, optimizer: plain, judge: plain }, undefined);
    assert.deepEqual(tokens, { low: 11_000, high: 11_000 + 10 * 127_600 });
    assert.equal(usual.tokens, 11_000);
    assert.deepEqual(limits, [1_000]);
  });
});
