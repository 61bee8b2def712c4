import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { WriteBehind } from '../../../../src/storage/files/writeBehind.js';

describe('work for afterwards', () => {
  it('is not done at once, and is done without being waited for', async () => {
    const done: number[] = [];
    const afterwards = new WriteBehind();
    afterwards.add(async () => void done.push(1));
    afterwards.add(async () => void done.push(2));
    assert.deepEqual(done, []);
    while (done.length < 2) await wait(5);
    assert.deepEqual(done, [1, 2]);
  });

  it('is done where somebody waits for all of it', async () => {
    const done: string[] = [];
    const afterwards = new WriteBehind();
    afterwards.add(async () => {
      await wait(5);
      done.push('slow');
    });
    afterwards.add(async () => void done.push('quick'));
    await afterwards.settled();
    assert.deepEqual(done, ['quick', 'slow']);
    await afterwards.settled();
  });

  it('may bring more work, which is waited for as well', async () => {
    const done: string[] = [];
    const afterwards = new WriteBehind();
    afterwards.add(async () => {
      await wait(5);
      afterwards.add(async () => void done.push('child'));
    });
    await afterwards.settled();
    assert.deepEqual(done, ['child']);
  });
});
