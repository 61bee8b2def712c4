import assert from 'node:assert/strict';
import { type OwnServerWait, ownServerWait, ServerQueues } from '../../../../src/models/local/ownServerPatience.js';
import { usualLimits } from '../../../../src/models/patience.js';

const short = { promptTokens: 500, answerTokens: 200, isStreamed: true };
const long = { promptTokens: 8_000, answerTokens: 4_000, isStreamed: true };

describe('how long a server on the person’s own machine is waited for', () => {
  it('grows with what it reads and writes, as on the slowest machine that is of use', () => {
    const { alone } = ownServerWait(usualLimits, { ...short, promptTokens: 5_000, answerTokens: 4_096 });
    assert.equal(alone.firstByteMs, 240_000 + 1_000_000);
    assert.equal(alone.totalMs, 240_000 + 1_000_000 + 4_096_000);
  });

  it('is for the whole answer where that comes in one piece', () => {
    const { alone } = ownServerWait(usualLimits, { ...short, isStreamed: false });
    assert.equal(alone.firstByteMs, 240_000 + 100_000 + 200_000);
  });

  it('grows with the calls that we sent before, and is no longer between two bytes', () => {
    const queues = new ServerQueues();
    const alone = queues.enter('a', ownServerWait(usualLimits, short)).limits;
    for (let more = 0; more < 14; more += 1) queues.enter('a', ownServerWait(usualLimits, short));
    const last = queues.enter('a', ownServerWait(usualLimits, short)).limits;
    assert.equal(last.firstByteMs, 15 * (240_000 + 100_000 + 200_000) + alone.firstByteMs);
    assert.equal(last.idleMs, usualLimits.idleMs);
  });

  it('is for a short call behind a long one as long as that one takes, and not the other way round', () => {
    const wholes = { long: 240_000 + 1_600_000 + 4_000_000, short: 240_000 + 100_000 + 200_000 };
    const behindLong = limitsBehind([long], short);
    assert.equal(behindLong.firstByteMs, wholes.long + 340_000);
    assert.equal(behindLong.totalMs, wholes.long + 900_000);
    const behindShort = limitsBehind([short], long);
    assert.equal(behindShort.firstByteMs, wholes.short + 240_000 + 1_600_000);
  });

  it('is what the person says for each of the calls where they say it', () => {
    const queues = new ServerQueues();
    queues.enter('a', saidFor(600_000));
    assert.deepEqual(queues.enter('a', saidFor(60_000)).limits, {
      firstByteMs: 660_000,
      idleMs: 90_000,
      totalMs: 660_000,
    });
  });

  it('is a time that a timer can hold', () => {
    const huge = { ...short, answerTokens: 1e6 };
    const { firstByteMs, totalMs } = limitsBehind(
      Array.from({ length: 63 }, () => huge),
      huge,
    );
    assert.ok(firstByteMs < 2 ** 31 && totalMs < 2 ** 31);
  });

  it('is by the calls that are at the same server, until they leave', () => {
    const queues = new ServerQueues();
    const wait = ownServerWait(usualLimits, short);
    const enter = (address: string): { readonly before: number; readonly leave: () => void } => {
      const { limits, leave } = queues.enter(address, wait);
      return { before: (limits.totalMs - wait.alone.totalMs) / wait.wholeMs, leave };
    };
    const first = enter('a');
    assert.deepEqual([first.before, enter('a').before, enter('b').before], [0, 1, 0]);
    first.leave();
    first.leave();
    assert.equal(enter('a').before, 1);
  });
});

function saidFor(totalMs: number): OwnServerWait {
  return { alone: { firstByteMs: totalMs, idleMs: 90_000, totalMs }, wholeMs: totalMs };
}

type Work = Parameters<typeof ownServerWait>[1];

function limitsBehind(before: readonly Work[], work: Work): OwnServerWait['alone'] {
  const queues = new ServerQueues();
  for (const each of before) queues.enter('a', ownServerWait(usualLimits, each));
  return queues.enter('a', ownServerWait(usualLimits, work)).limits;
}
