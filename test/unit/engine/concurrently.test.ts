import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { concurrently } from '../../../src/engine/concurrently.js';
import { ModelError } from '../../../src/errors.js';
import { randomFor, shuffled } from '../../../src/engine/random.js';

describe('concurrently', () => {
  const waiting = new ModelError('waiting', 'An answer is awaited.');
  it('begins all items where some only wait for an answer, and throws that at the end', async () => {
    const items = Array.from({ length: 9 }, (_, index) => (index % 3 === 0 ? waiting : undefined));
    assert.deepEqual(await failing(items), { begun: 9, end: waiting });
  });

  it('throws what is worse than waiting, but not a cap, which is met again once the answers are there', async () => {
    const broken = new Error('the disk is full');
    const cap = new ModelError('cap', 'No more calls.');
    assert.equal((await failing([waiting, undefined, broken, undefined, undefined])).end, broken);
    assert.equal((await failing([waiting, undefined, cap, undefined])).end, waiting);
    assert.equal((await failing([cap, undefined, waiting])).end, cap);
  });

  it('gives the results in the order of the items, whoever ends first', async () => {
    const waits = [3, 0, 2, 1];
    const result = await concurrently(waits, 4, async (wait, index) => {
      for (let turn = 0; turn < wait; turn++) await new Promise((resolve) => setImmediate(resolve));
      return `${index}:${wait}`;
    });
    assert.deepEqual(result, ['0:3', '1:0', '2:2', '3:1']);
  });

  it('stops starting after the first error, waits for what is under way, and throws it', async () => {
    const started: number[] = [];
    let finished = 0;
    await assert.rejects(
      concurrently([0, 1, 2, 3, 4], 2, async (item) => {
        started.push(item);
        if (item === 0) throw new Error('the first');
        await new Promise((resolve) => setImmediate(resolve));
        finished++;
        return item;
      }),
      /the first/,
    );
    assert.deepEqual([started, finished], [[0, 1], 1]);
  });

  it('gives idle places to other work, as long as its own goes on, and does not wait for it', async () => {
    const over: (() => void)[] = [];
    let [begun, now, most] = [0, 0, 0];
    const spare = (): Promise<void> => {
      begun += 1;
      most = Math.max(most, ++now);
      return new Promise((resolve) => over.push(() => (now--, resolve())));
    };
    const last = new EventTarget();
    const ended = new Promise((resolve) => last.addEventListener('end', resolve));
    const own = concurrently([1, 2], 5, (item) => (item === 1 ? Promise.resolve(1) : ended.then(() => 2)), spare);
    await turns(4);
    assert.equal(begun, 4, 'three places were never needed, one is free again');
    over.shift()?.();
    await turns(4);
    assert.deepEqual([begun, most], [5, 4]);
    last.dispatchEvent(new Event('end'));
    assert.deepEqual(await own, [1, 2]);
    for (const each of over) each();
    await turns(4);
    assert.equal(begun, 5, 'nothing is begun afterwards');
  });

  it('begins nothing else once its own work failed', async () => {
    let begun = 0;
    const spare = (): Promise<void> => {
      begun += 1;
      return Promise.resolve();
    };
    await assert.rejects(
      concurrently([1], 1, () => Promise.reject(new Error('no')), spare),
      /no/,
    );
    await turns(4);
    assert.equal(begun, 0);
  });

  it('has nothing to do for nothing', async () => assert.deepEqual(await concurrently([], 3, async () => 1), []));
});

describe('random streams', () => {
  it('depend on their name alone, part by part', () => {
    assert.deepEqual(take('a', 1), take('a', 1));
    assert.notDeepEqual(take('a', 1), take('a', 2));
    assert.notDeepEqual(take('a', 11), take('a', 1, 1));
    assert.ok(take('b').every((number) => number >= 0 && number < 1));
  });

  it('shuffle without losing or doubling anything, evenly', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
        const mixed = shuffled(items, randomFor(seed));
        assert.deepEqual([...mixed].sort(byNumber), [...items].sort(byNumber));
      }),
    );
    const firsts = new Map<number, number>();
    for (let seed = 0; seed < 3000; seed++) {
      const [first = -1] = shuffled([0, 1, 2], randomFor('even', seed));
      firsts.set(first, (firsts.get(first) ?? 0) + 1);
    }
    for (const count of firsts.values()) assert.ok(Math.abs(count - 1000) < 120, String(count));
  });
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function take(...name: readonly (string | number)[]): readonly number[] {
  const random = randomFor(...name);
  return [random(), random(), random()];
}

function byNumber(a: number, b: number): number {
  return a - b;
}

/** How many of these begin, each of which fails with its error, and how it ends. */
async function failing(
  errors: readonly (Error | undefined)[],
): Promise<{ readonly begun: number; readonly end: unknown }> {
  let begun = 0;
  const end = await concurrently(errors, 2, async (error) => {
    begun += 1;
    await turns(1);
    if (error !== undefined) throw error;
  }).catch((error: unknown) => error);
  return { begun, end };
}
