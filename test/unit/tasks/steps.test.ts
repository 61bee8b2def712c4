import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { paced } from '../../../src/app/paced.js';
import { checkCatalog } from '../../../src/checks/registry.js';
import { readingTasks, readTasks } from '../../../src/tasks/readers/readTasks.js';
import { emptyAssignment } from '../../../src/tasks/split/splitFile.js';
import { splitTasks, splittingTasks } from '../../../src/tasks/split/splitTasks.js';
import type { Steps } from '../../../src/tasks/steps.js';
import { corpus } from '../../bench/tasks/corpus.js';

const count = process.env['WHETSTONE_FULL'] === '1' ? 600 : 200;
const files = { ...corpus(count), evalsPath: 'evals.json', whetstonePath: 'whetstone.json' };

describe('work on many tasks', () => {
  it('is done in pieces of a few tasks, and comes to the same', () => {
    const read = counted(readingTasks(files, checkCatalog));
    assert.deepEqual(read.result.tasks, readTasks(files, checkCatalog).tasks);
    assert.ok(read.pieces > count / 40, `${read.pieces} pieces`);
    const split = counted(splittingTasks(read.result.tasks, emptyAssignment));
    assert.deepEqual(split.result, splitTasks(read.result.tasks, emptyAssignment));
    assert.ok(split.pieces > count / 10, `${split.pieces} pieces`);
  });

  it('lets everything else have its turn', async () => {
    let turns = 0;
    const over = new AbortController();
    const others = (async () => {
      for (; !over.signal.aborted; turns += 1) await turn();
    })();
    assert.equal(await paced(slow()), 'done');
    over.abort();
    await others;
    assert.ok(turns >= 7, `${turns} turns`);
  });

  const tooMuch: readonly [what: string, evalsText: string, said: RegExp][] = [
    [
      'tasks',
      JSON.stringify({ evals: Array.from({ length: 10_001 }, (_, id) => ({ id, prompt: 'x' })) }),
      /holds 10001 tasks, and at most 10000 of one skill are read/u,
    ],
    ['values', `{"evals": [${'0,'.repeat(500_000)}0]}`, /holds more values than are read of one file/u],
  ];
  for (const [what, evalsText, said] of tooMuch) {
    it(`is refused where a file holds too many ${what}`, () => {
      const given = { evalsText, evalsPath: 'evals.json', whetstoneText: undefined, whetstonePath: 'whetstone.json' };
      assert.throws(() => readTasks(given, checkCatalog), said);
    });
  }
});

function counted<Result>(steps: Steps<Result>): { readonly result: Result; readonly pieces: number } {
  for (let pieces = 1; ; pieces += 1) {
    const step = steps.next();
    if (step.done === true) return { result: step.value, pieces };
  }
}

function* slow(): Steps<string> {
  for (let piece = 0; piece < 8; piece += 1) {
    const until = performance.now() + 16;
    while (performance.now() < until);
    yield;
  }
  return 'done';
}
