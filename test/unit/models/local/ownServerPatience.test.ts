import assert from 'node:assert/strict';
import { ownServerLimits, ServerQueues } from '../../../../src/models/local/ownServerPatience.js';
import { usualLimits } from '../../../../src/models/patience.js';

const short = { promptTokens: 500, answerTokens: 200, atOnce: 1, isStreamed: true };

describe('how long a server on the person’s own machine is waited for', () => {
  it('grows with what it reads and writes, as on the slowest machine that is of use', () => {
    const limits = ownServerLimits(usualLimits, { ...short, promptTokens: 5_000, answerTokens: 4_096 });
    assert.equal(limits.firstByteMs, 240_000 + 1_000_000);
    assert.equal(limits.totalMs, 240_000 + 1_000_000 + 4_096_000);
  });

  it('grows with the calls that we sent before, and is no longer between two bytes', () => {
    const alone = ownServerLimits(usualLimits, short);
    const last = ownServerLimits(usualLimits, { ...short, atOnce: 16 });
    assert.ok(last.firstByteMs >= 15 * (240_000 + 100_000 + 200_000) + alone.firstByteMs);
    assert.equal(last.idleMs, usualLimits.idleMs);
  });

  it('is for the whole answer where that comes in one piece', () => {
    const { firstByteMs } = ownServerLimits(usualLimits, { ...short, isStreamed: false });
    assert.equal(firstByteMs, 240_000 + 100_000 + 200_000);
  });

  it('is a time that a timer can hold', () => {
    const { firstByteMs, totalMs } = ownServerLimits(usualLimits, { ...short, answerTokens: 1e6, atOnce: 64 });
    assert.ok(firstByteMs < 2 ** 31 && totalMs < 2 ** 31);
  });

  it('counts the calls that are at one server, until they leave', () => {
    const queues = new ServerQueues();
    const first = queues.enter('a');
    assert.deepEqual([first.atOnce, queues.enter('a').atOnce, queues.enter('b').atOnce], [1, 2, 1]);
    first.leave();
    assert.equal(queues.enter('a').atOnce, 2);
  });
});
