import assert from 'node:assert/strict';
import { makeTask } from '../../../../src/tasks/makeTask.js';
import { trainableDrafts } from '../../../../src/tasks/split/trainableDrafts.js';
import { atOnce } from '../../../../src/tasks/steps.js';
import type { Side, Task } from '../../../../src/tasks/task.js';

describe('drafts that may be learned from unconfirmed', () => {
  const drafts = Array.from({ length: 40 }, (_, at) => draft(`d${at}`, `session ${at}`));

  it('are about half of the sessions, always the same ones, in the order given', () => {
    const taken = trainable(drafts);
    assert.ok(taken.length >= 10 && taken.length <= 30, String(taken.length));
    assert.deepEqual(trainable(drafts), taken);
    const fewer = drafts.slice(10);
    assert.deepEqual(
      trainable(fewer),
      taken.filter((id) => fewer.some((each) => each.id === id)),
    );
  });

  it('are never of one session with a task on another side, and always with one that was learned from', () => {
    const sideOf = (side: Side): ReadonlyMap<Task, Side> =>
      new Map(drafts.map((each, at) => [draft(`c${at}`, each.origin ?? '', 'confirmed'), side]));
    assert.deepEqual(trainable(drafts, sideOf('heldOut')), []);
    assert.deepEqual(trainable(drafts, sideOf('sealed')), []);
    assert.equal(trainable(drafts, sideOf('training')).length, drafts.length);
  });

  it('stay together where they are of one session', () => {
    const pairs = drafts.flatMap((each, at) => [each, draft(`twin${at}`, each.origin ?? '', 'another')]);
    const taken = new Set(trainable(pairs));
    for (const [at, { id }] of drafts.entries()) assert.equal(taken.has(id), taken.has(`twin${at}`));
  });
});

function trainable(drafts: readonly Task[], anchors: ReadonlyMap<Task, Side> = new Map()): readonly string[] {
  return atOnce(trainableDrafts(drafts, anchors)).map(({ id }) => id);
}

function draft(id: string, origin: string, kind = 'first'): Task {
  const words = [1, 2, 3, 4, 5, 6].map((at) => `word${at}${id}${kind}`).join(' ');
  return makeTask({ id, prompt: `Write ${words}`, origin, draft: true });
}
