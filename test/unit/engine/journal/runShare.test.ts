import assert from 'node:assert/strict';
import type { RunEvent } from '../../../../src/engine/journal/runEvents.js';
import { followShare } from '../../../../src/engine/journal/runShare.js';
import { shareText } from '../../../../src/wording/shareText.js';
import { aCall, aRunStarted } from '../../../builders/runEvents.js';

const started = aRunStarted();
const answered = aCall();
const failed: RunEvent = { ...answered, error: 'unavailable' };

describe('the progress of a run whose server dies', () => {
  it('says within ten seconds of failing calls that nobody answers, and claims no time left', () => {
    const follow = running();
    follow(failed, 21_000);
    assert.match(shareText(follow(undefined, 31_000)), /^\d+ % · no answer for 11 s, 1 call failed$/);
    assert.equal(follow(undefined, 31_000).leftMs, undefined);
    for (let at = 32_000; at < 60_000; at += 2_500) follow(failed, at);
    assert.match(shareText(follow(undefined, 60_000)), /^\d+ % · no answer for 40 s, 13 calls failed$/);
    assert.match(shareText(follow(undefined, 200_000)), /no answer for 3 min, 13 calls failed$/);
  });

  it('says so while nothing even leaves this machine, and after three failures at once', () => {
    const follow = running();
    for (const at of [21_000, 21_100]) assert.match(shareText(follow({ ...failed, calls: 0 }, at)), /left$/);
    assert.match(shareText(follow({ ...failed, calls: 0 }, 21_200)), /no answer for 1 s, 3 calls failed$/);
  });

  it('takes it back with the next answer, and with a refusal of a server that works', () => {
    for (const life of [answered, { ...failed, error: 'context-length' } satisfies RunEvent]) {
      const follow = running();
      for (const at of [21_000, 25_000, 29_000]) follow(failed, at);
      assert.notEqual(follow(undefined, 30_000).silence, undefined);
      assert.match(shareText(follow(life, 31_000)), /^\d+ % · less than 1 min left$/);
    }
  });

  it('does not move on by calls that failed', () => {
    const follow = running();
    const before = follow(undefined, 20_000).share;
    for (let at = 21_000; at < 40_000; at += 1_000) assert.equal(follow(failed, at).share, before);
  });
});

describe('the progress of a run', () => {
  it('tells the time left by what was asked: stored replies come at once', () => {
    const follow = followShare();
    follow(started, 0);
    follow({ kind: 'stage', stage: 'baseline', step: 0, planned: 10 }, 0);
    for (let at = 1; at <= 9; at += 1) follow({ ...answered, cached: true }, at * 100);
    assert.equal(follow({ kind: 'stage', stage: 'rollout', step: 1, planned: 8 }, 1_000).leftMs, undefined);
    const told = [1, 2, 3, 4].map((answer) => follow(answered, 1_000 + answer * 60_000)).at(-1);
    const minutes = (told?.leftMs ?? 0) / 60_000;
    assert.ok(minutes > 10, `${minutes} min left after 4 calls of a minute each`);
  });

  it('leaves out the time in which no server was there', () => {
    const minutes = [0, 600_000].map((awayMs) => {
      const follow = followShare();
      follow(started, 0);
      follow({ kind: 'stage', stage: 'certify', step: 1, planned: 20 }, 0);
      follow(answered, 10_000);
      if (awayMs > 0) follow(failed, 10_000 + awayMs);
      return Math.round((follow(answered, 20_000 + awayMs).leftMs ?? 0) / 1_000);
    });
    assert.equal(minutes[1], minutes[0]);
  });

  it('does not move on by calls that are made for a later stage', () => {
    const follow = followShare();
    follow(started, 0);
    const { share } = follow({ kind: 'stage', stage: 'baseline', step: 0, planned: 10 }, 1_000);
    const shareAfter = (event: RunEvent): number =>
      Array.from({ length: 9 }, () => follow(event, 2_000).share).at(-1) ?? 0;
    assert.equal(shareAfter({ ...answered, of: { stage: 'rollout', step: 1 } }), share);
    assert.ok(shareAfter(answered) > share);
  });
});

/** The run at 20 s: all is well, and the time that is left is known. */
function running(): ReturnType<typeof followShare> {
  const follow = followShare();
  follow(started, 0);
  follow({ kind: 'stage', stage: 'certify', step: 1, planned: 20 }, 10_000);
  assert.match(shareText(follow(answered, 20_000)), /^\d+ % · less than 1 min left$/);
  return follow;
}
