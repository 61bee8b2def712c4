import assert from 'node:assert/strict';
import { ClockWatch } from '../../../src/schedule/clockWatch.js';

describe('looking at the clock again and again', () => {
  it('takes one look at a time, and one more for all who ask meanwhile', async () => {
    const { watch, begin, end } = aWatch();
    const first = watch.look();
    const others = [watch.look(), watch.look(), watch.look()];
    assert.equal(begin(), 1);
    end();
    await turn();
    assert.equal(begin(), 2);
    end();
    await Promise.all([first, ...others]);
    assert.equal(begin(), 2);
    watch.dispose();
  });

  it('answers with a look that began after the question', async () => {
    const { watch, begin, end } = aWatch();
    void watch.look();
    const seen = watch.look().then(begin);
    end();
    await turn();
    end();
    assert.equal(await seen, 2);
    watch.dispose();
  });

  it('looks again by itself after as long as it is told then', async () => {
    const waits = [1, 60_000];
    const looks: number[] = [];
    await new Promise<void>((resolve) => {
      const watch = new ClockWatch(
        async () => {
          looks.push(waits.length);
          if (looks.length < 2) return;
          watch.dispose();
          resolve();
        },
        () => waits.shift() ?? 60_000,
      );
      void watch.look();
    });
    assert.deepEqual(looks, [2, 1]);
  });

  it('ends when it is disposed of, also in the middle of a look', async () => {
    const { watch, begin, end } = aWatch();
    const look = watch.look();
    void watch.look();
    watch.dispose();
    end();
    await look;
    await turn();
    assert.equal(begin(), 1);
  });
});

function aWatch() {
  let begun = 0;
  let finish: (() => void) | undefined;
  const watch = new ClockWatch(
    () => {
      begun += 1;
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    },
    () => 60_000,
  );
  return { watch, begin: () => begun, end: () => finish?.() };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
