import assert from 'node:assert/strict';
import { meetHeldOut, openErrorBudget, payCertification } from '../../../../src/gate/statistics/errorBudget.js';
import { movedTasks, movesOf, moveTo, movingWith, rememberUse } from '../../../../src/tasks/split/moveTasks.js';
import {
  emptyAssignment,
  printSplitFile,
  readSplitFile,
  type SplitAssignment,
} from '../../../../src/tasks/split/splitFile.js';
import { splitTasks } from '../../../../src/tasks/split/splitTasks.js';
import type { Side, Task } from '../../../../src/tasks/task.js';
import { aTask } from '../../../builders/aTask.js';

const sides: readonly Side[] = ['training', 'heldOut', 'sealed'];
const learned = 'A run has already learned from it.';
const used = 'A run has already used it.';

describe('where a task may go', () => {
  type Row = readonly [name: string, side: Side, trained: boolean, used: boolean, refused: readonly (string | null)[]];
  // For training, held-out and sealed: undefined where it stands, null where it may go, else why not.
  const table: readonly Row[] = [
    ['a new training task', 'training', false, false, [null, null]],
    ['a training task that was only tried', 'training', false, true, [null, used]],
    ['a training task that a run learned from', 'training', true, true, [learned, learned]],
    ['a new held-out task', 'heldOut', false, false, [null, null]],
    ['a held-out task that decided a run', 'heldOut', false, true, [null, used]],
    ['a held-out task that training has seen', 'heldOut', true, true, [null, learned]],
    ['a sealed task that nobody scored', 'sealed', false, false, [null, null]],
    ['a sealed task that was scored', 'sealed', false, true, [null, null]],
  ];
  for (const [name, side, trained, wasUsed, expected] of table) {
    it(`of ${name}`, () => {
      const task = aTask();
      const { to } = only(task, remembered([[task, { side, trained, used: wasUsed }]]));
      assert.deepEqual(
        to.map((each) => [each.side, each.refused ?? null]),
        sides.filter((each) => each !== side).map((each, index) => [each, expected[index]]),
      );
    });
  }

  it('of a draft is any side, and of one that was tried all but the sealed one', () => {
    const draft = aTask({ draft: true });
    assert.deepEqual(
      only(draft, emptyAssignment).to.map(({ refused }) => refused),
      [undefined, undefined, undefined],
    );
    const result = splitTasks([draft], emptyAssignment);
    const tried = rememberUse(result, emptyAssignment, () => 'none', [draft]);
    assert.deepEqual(
      only(draft, tried).to.map(({ refused }) => refused),
      [undefined, undefined, used],
    );
    assert.deepEqual(splitTasks([{ ...draft, draft: false }], tried).split.training.length, 1);
  });

  it('is decided for all tasks of one origin together, by the one that a run learned from', () => {
    const [first, second] = pair();
    const memory = remembered([
      [first, { side: 'training', trained: false, used: false }],
      [second, { side: 'training', trained: true, used: true }],
    ]);
    const moves = movesOf([first, second], splitTasks([first, second], memory), () => undefined).get('a');
    assert.deepEqual(moves?.together, ['b']);
    assert.deepEqual(
      moves?.to.map(({ refused }) => refused),
      Array(2).fill('A run has already learned from “b”, which goes along with it.'),
    );
  });

  it('is decided by the separate held-out file for those that stand there', () => {
    const task = aTask({ assigned: 'heldOut' });
    const moves = movesOf([task], splitTasks([task], emptyAssignment), () => 'It stands apart.');
    assert.deepEqual(
      moves.get('task')?.to.map(({ refused }) => refused),
      Array(2).fill('It stands apart.'),
    );
  });
});

describe('a move', () => {
  it('takes along who has the same origin, and leaves everybody else where they are', () => {
    const [first, second] = pair();
    const others = ['one', 'two', 'three', 'four', 'five'].map((word) => aTask({ id: word, prompt: `Tell ${word}.` }));
    const tasks = [first, second, ...others];
    const result = splitTasks(tasks, emptyAssignment);
    const side = result.sideOf.get(first) === 'sealed' ? 'heldOut' : 'sealed';
    const moving = movingWith(first, side, result);
    assert.deepEqual(moving.map(({ id }) => id).sort(), ['a', 'b']);
    const after = splitTasks(tasks, moveTo(side, moving, result, emptyAssignment));
    for (const task of tasks)
      assert.equal(after.sideOf.get(task), moving.includes(task) ? side : result.sideOf.get(task), task.id);
    assert.deepEqual(after.leaks, []);
  });

  it('is read back, in a file of the version that can say it; without one the file is as it was', () => {
    const task = aTask();
    const result = splitTasks([task], emptyAssignment);
    const plain = printSplitFile(new Map([['s', result.assignment]]));
    assert.match(plain, /"version": 1,/);
    assert.doesNotMatch(plain, /used|moved/);
    const moved = moveTo('heldOut', [task], result, emptyAssignment);
    const text = printSplitFile(new Map([['s', moved]]));
    assert.match(text, /"version": 2,/);
    assert.deepEqual(readSplitFile(text, 'split.json').get('s'), moved);
    assert.equal(splitTasks([task], moved).split.heldOut.length, 1);
  });

  it('is remembered of a task whose words were changed since', () => {
    const task = aTask();
    const moved = moveTo('heldOut', [task], splitTasks([task], emptyAssignment), emptyAssignment);
    const edited = splitTasks([aTask({ prompt: 'Quite another request.' })], moved);
    assert.equal(edited.split.heldOut.length, 1);
    assert.equal(movedTasks(edited).size, 1);
  });

  it('to the held-out side brings nothing of the error budget back, now or later', () => {
    const spent = payCertification(openErrorBudget(['x', 'y']), 'c1');
    assert.ok(spent);
    const met = meetHeldOut(spent, ['x', 'y', 'moved'], { moved: new Set(['moved']) });
    assert.equal(met.remaining, spent.remaining);
    assert.deepEqual(met.refills, []);
    assert.equal(meetHeldOut(met, ['x', 'y', 'moved']).remaining, spent.remaining);
    const fresh = meetHeldOut(spent, ['x', 'y', 'moved', 'new'], { moved: new Set(['moved']) });
    assert.deepEqual(
      fresh.refills.map((refill) => refill.kind === 'new-tasks' && [refill.newTasks, refill.allTasks]),
      [[1, 4]],
    );
  });
});

function pair(): readonly [Task, Task] {
  return [
    aTask({ id: 'a', prompt: 'Read the log and name the cause', origin: 'one session' }),
    aTask({ id: 'b', prompt: 'Write to the customer about the delay', origin: 'one session' }),
  ];
}

function only(task: Task, memory: SplitAssignment): NonNullable<ReturnType<ReturnType<typeof movesOf>['get']>> {
  const found = movesOf([task], splitTasks([task], memory), () => undefined).get(task.id);
  assert.ok(found);
  return found;
}

function remembered(
  rows: readonly (readonly [Task, { readonly side: Side; readonly trained: boolean; readonly used: boolean }])[],
): SplitAssignment {
  return new Map(
    rows.map(([task, facts]) => [task.contentHash, { ...facts, moved: false, id: task.id, text: task.id }]),
  );
}
