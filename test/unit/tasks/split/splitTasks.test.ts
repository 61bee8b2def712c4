import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { shareOutTags } from '../../../../src/tasks/split/placeGroups.js';
import { emptyAssignment, type SplitAssignment } from '../../../../src/tasks/split/splitFile.js';
import { sameTextKey, storedTextKeys } from '../../../../src/tasks/split/nearDuplicates.js';
import { splitTasks, type SplitResult } from '../../../../src/tasks/split/splitTasks.js';
import type { Side, Task } from '../../../../src/tasks/task.js';
import { aCheck, aTask } from '../../../builders/aTask.js';

const sides: readonly Side[] = ['training', 'heldOut', 'sealed'];
const runs = process.env['WHETSTONE_FULL'] === '1' ? 2000 : 60;

describe('the sizes of the sides', () => {
  const table: readonly (readonly [count: number, training: number, heldOut: number, sealed: number])[] = [
    [0, 0, 0, 0],
    [1, 1, 0, 0],
    [2, 2, 0, 0],
    [3, 2, 1, 0],
    [7, 2, 5, 0],
    [8, 3, 5, 0],
    [9, 3, 6, 0],
    [10, 4, 6, 0],
    [13, 5, 8, 0],
    [16, 8, 8, 0],
    [17, 8, 8, 1],
    [20, 8, 8, 4],
    [25, 10, 10, 5],
    [100, 40, 40, 20],
  ];
  for (const [count, ...expected] of table) {
    it(`of ${count} tasks are ${expected.join(', ')}`, () =>
      assert.deepEqual(sizesOf(splitTasks(distinct(count), emptyAssignment)), expected));
  }
});

describe('splitTasks', () => {
  it('proves nothing on what a run on this machine has learned from, and puts it back on the training side', () => {
    const tasks = distinct(12);
    const [first, second] = tasks;
    assert.ok(first !== undefined && second !== undefined);
    const learned = new Set([sameTextKey(first), sameTextKey(second)]);
    const held = { ...first, id: 'renamed', prompt: `${first.prompt}!`, assigned: 'heldOut' as const };
    const { split, leaks } = splitTasks([held, ...tasks.slice(1)], emptyAssignment, learned);
    assert.deepEqual(
      leaks.map(({ task, reason }) => [task.id, reason]),
      [['renamed', 'a run on this machine has learned from it']],
    );
    assert.ok(!split.heldOut.some(({ id }) => id === 'renamed'));
    assert.ok(split.training.some(({ id }) => id === second.id));
  });

  it('takes the same words for two tasks where an agent starts from other files, and knows what earlier versions kept', () => {
    const [first] = distinct(1);
    assert.ok(first !== undefined);
    const on = (id: string, fixture: string): Task => ({
      ...first,
      id,
      environment: 'agent',
      agent: { fixture, mode: 'offered' },
    });
    const [shop, bank] = [on('shop', 'evals/fixtures/shop'), on('bank', 'evals/fixtures/bank')];
    assert.notEqual(sameTextKey(shop), sameTextKey(bank));
    assert.deepEqual(splitTasks([shop, bank], emptyAssignment).groups, []);
    assert.ok(storedTextKeys(shop).includes(sameTextKey(first)));
  });

  it('lets what the person assigned win', () => {
    const tasks = distinct(12).map((task, index) => (index < 6 ? { ...task, assigned: 'sealed' as const } : task));
    const { split } = splitTasks(tasks, emptyAssignment);
    assert.equal(split.sealed.length, 6);
    assert.deepEqual([split.training.length, split.heldOut.length], [2, 4]);
  });

  it('leaves out drafts and disabled tasks', () => {
    const tasks = distinct(9).map((task, index) => ({ ...task, draft: index === 0, enabled: index !== 1 }));
    assert.equal(
      sizesOf(splitTasks(tasks, emptyAssignment)).reduce((sum, size) => sum + size, 0),
      7,
    );
  });

  it('keeps tasks of one origin, and tasks that are almost the same, on one side', () => {
    const tasks = [
      ...distinct(10, { origin: 'session' }),
      ...distinct(10, {}, 10),
      aTask({ id: 'same', prompt: `${words(12)}!` }),
    ];
    const result = splitTasks(tasks, emptyAssignment);
    const sideOf = sidesOf(result);
    assert.equal(new Set(tasks.slice(0, 10).map((task) => sideOf.get(task.id))).size, 1);
    assert.equal(sideOf.get('same'), sideOf.get('task12'));
  });

  it('never moves a task whose checks, or whose text, were edited', () => {
    const tasks = distinct(20);
    const first = splitTasks(tasks, emptyAssignment);
    const edited = tasks.map((task, index) =>
      index % 2 === 0
        ? aTask({ id: task.id, prompt: task.prompt, checks: [aCheck('max_chars', { limit: index })] })
        : aTask({ id: task.id, prompt: `${words(index + 500)} anew` }),
    );
    const second = splitTasks(edited, first.assignment);
    assert.deepEqual(sorted(sidesOf(second)), sorted(sidesOf(first)));
    assert.deepEqual(second.leaks, []);
  });

  it('knows a task by its text when its id and its checks are new', () => {
    const tasks = distinct(20);
    const first = splitTasks(tasks, emptyAssignment);
    const renamed = tasks.map(({ id, prompt }) =>
      aTask({ id: `${id}-new`, prompt, checks: [aCheck('max_chars', { limit: 7 })] }),
    );
    const second = sidesOf(splitTasks(renamed, first.assignment));
    for (const [id, side] of sidesOf(first)) assert.equal(second.get(`${id}-new`), side, id);
  });

  for (const limits of [
    [1, 2],
    [2, 1],
  ] as const) {
    it(`puts a text that was on both sides where training has seen it (${limits.join(', ')})`, () => {
      const { assignment } = splitTasks(
        [underLimit(limits[0], 'training'), underLimit(limits[1], 'heldOut')],
        emptyAssignment,
      );
      const { split } = splitTasks([underLimit(3, undefined)], assignment);
      assert.equal(split.training.length, 1);
    });
  }

  it('remembers a task that was gone or disabled for a while', () => {
    const tasks = distinct(20);
    const first = splitTasks(tasks, emptyAssignment);
    const fewer = splitTasks(tasks.slice(10), first.assignment);
    const disabled = splitTasks(
      tasks.map((task) => ({ ...task, enabled: false })),
      fewer.assignment,
    );
    assert.deepEqual(sorted(sidesOf(splitTasks(tasks, disabled.assignment))), sorted(sidesOf(first)));
  });

  it('sets a newcomer aside that would tie two sides together, and says so', () => {
    const placed = [
      aTask({ id: 'a', prompt: words(1), origin: 'x', assigned: 'training' }),
      aTask({ id: 'b', prompt: words(2), assigned: 'heldOut' }),
    ];
    const newcomer = aTask({ id: 'n', prompt: `${words(2)}?`, origin: 'x' });
    const { split, leaks } = splitTasks([...placed, newcomer], emptyAssignment);
    assert.deepEqual(
      split.setAside.map(({ task }) => task.id),
      ['n'],
    );
    assert.match(split.setAside[0]?.reason ?? '', /different sides/);
    assert.deepEqual(leaks, []);
  });

  it('sets only the one aside that is tied to both sides, and not its friends', () => {
    const tasks = [
      aTask({ id: 'a', prompt: words(1), origin: 'x', assigned: 'training' }),
      aTask({ id: 'b', prompt: words(2), origin: 'x', assigned: 'heldOut' }),
      aTask({ id: 'n', prompt: words(3), origin: 'x' }),
      aTask({ id: 'friend', prompt: `${words(3)}?` }),
    ];
    const { split } = splitTasks(tasks, emptyAssignment);
    assert.deepEqual(
      split.setAside.map(({ task }) => task.id),
      ['n', 'b'],
      'b is of one origin with a training task: it can prove nothing',
    );
  });

  it('sets a whole chain aside where no single member ties the sides, and leaves free ones free', () => {
    const tasks = [
      aTask({ id: 'a', prompt: words(1), origin: 'x', assigned: 'training' }),
      aTask({ id: 'b', prompt: words(2), assigned: 'heldOut' }),
      aTask({ id: 'n1', prompt: words(3), origin: 'x' }),
      aTask({ id: 'n2', prompt: `${words(3)}?`, origin: 'y' }),
      aTask({ id: 'n3', prompt: `${words(2)}?`, origin: 'y' }),
      aTask({ id: 'free', prompt: words(4) }),
    ];
    const { split } = splitTasks(tasks, emptyAssignment);
    assert.deepEqual(split.setAside.map(({ task }) => task.id).toSorted(), ['n1', 'n2', 'n3']);
    assert.equal(split.training.length + split.heldOut.length, 3);
  });

  it('says which held-out tasks training has seen', () => {
    const trained = aTask({ id: 'a', prompt: words(1), assigned: 'training' });
    const twin = aTask({ id: 'b', prompt: `${words(1)}!`, assigned: 'heldOut' });
    assert.deepEqual(
      splitTasks([trained, twin], emptyAssignment).leaks.map(({ task }) => task.id),
      ['b'],
    );

    const { assignment } = splitTasks([trained], emptyAssignment);
    const moved = splitTasks([{ ...trained, assigned: 'heldOut' }], assignment);
    assert.match(moved.leaks[0]?.reason ?? '', /training task before/);
    const again = splitTasks([{ ...trained, assigned: 'heldOut' }], moved.assignment);
    assert.equal(again.leaks.length, 1, 'it is not forgotten');
  });

  it('sets aside what training has seen, and counts a held-out task once', () => {
    const held = distinct(6).map((task) => ({ ...task, assigned: 'heldOut' as const }));
    const [first = assert.fail()] = held;
    const known = splitTasks(held, emptyAssignment);
    const twin = aTask({ ...first, id: '0-import', prompt: `${first.prompt}!`, checks: [], assigned: 'heldOut' });
    const trained = aTask({ id: 'trained', prompt: words(77), assigned: 'training' });
    const seen = aTask({ id: 'seen', prompt: `${words(77)}?`, assigned: 'heldOut' });
    const { split, sideOf } = splitTasks([twin, ...held, trained, seen], known.assignment);
    assert.deepEqual(split.heldOut.map(({ id }) => id).toSorted(), held.map(({ id }) => id).toSorted());
    const reasons = new Map(split.setAside.map(({ task, reason }) => [task.id, reason]));
    assert.match(reasons.get('0-import') ?? '', new RegExp(`words and files of “${first.id}”`));
    assert.match(reasons.get('seen') ?? '', /cannot prove anything: .*the training task “trained”/);
    assert.equal(sideOf.get(seen), 'heldOut', 'it stays on its side');
  });

  it('sends a newcomer to the side that lacks its tag, where the sides are equally full', () => {
    const sidesThen = [...Array(8).fill('training'), ...Array(8).fill('heldOut'), ...Array(4).fill('sealed')];
    const placed = distinct(20).map((task, index) => ({
      ...task,
      assigned: sides.find((side) => side === sidesThen[index]),
      tags: index < 8 ? ['x'] : [],
    }));
    const sideFor = (tags: readonly string[]): Side | undefined =>
      sidesOf(splitTasks([...placed, ...distinct(1, { tags }, 20)], emptyAssignment)).get('task20');
    assert.equal(sideFor(['x']), 'heldOut');
    assert.equal(sideFor([]), 'training');
  });

  it('balances tags when tasks arrive one by one', () => {
    let assignment: SplitAssignment = emptyAssignment;
    const tasks: Task[] = [];
    for (let index = 0; index < 40; index += 1) {
      tasks.push(...distinct(1, { tags: [index % 3 === 0 ? 'rare' : 'common'] }, index));
      ({ assignment } = splitTasks(tasks, assignment));
    }
    const { split } = splitTasks(tasks, assignment);
    assert.deepEqual([split.training.length, split.heldOut.length, split.sealed.length], [16, 16, 8]);
    const rare = sides.map((side) => split[side].filter((task) => task.tags.includes('rare')).length);
    for (const [index, share] of [5.6, 5.6, 2.8].entries())
      assert.ok(Math.abs((rare[index] ?? 0) - share) <= 2, String(rare));
  });
});

describe('the laws of the split', () => {
  // Few texts and origins, so that twins and ties are common.
  const source = fc.record({
    text: fc.integer({ min: 0, max: 25 }),
    twin: fc.constantFrom('', '!', ' please'),
    origin: fc.option(fc.constantFrom('o1', 'o2', 'o3'), { nil: undefined, freq: 4 }),
    assigned: fc.option(fc.constantFrom(...sides), { nil: undefined, freq: 4 }),
    tags: fc.subarray(['x', 'y', 'z']),
    draft: fc.boolean().map((draft) => draft && true),
    enabled: fc.constantFrom(true, true, true, false),
  });
  const tasksOf = fc
    .array(source, { maxLength: 40 })
    .map((list) =>
      list.map(({ text, twin, ...rest }, index) =>
        aTask({ id: `t${index}`, prompt: `${words(text)}${twin}`, ...rest }),
      ),
    );

  it('is disjoint, and total with those set aside', () => {
    fc.assert(
      fc.property(tasksOf, (tasks) => {
        const { split } = splitTasks(tasks, emptyAssignment);
        const placed = [
          ...split.training,
          ...split.heldOut,
          ...split.sealed,
          ...split.setAside.map(({ task }) => task),
        ].map((task) => task.id);
        assert.equal(new Set(placed).size, placed.length);
        assert.deepEqual(
          placed.toSorted(),
          tasks
            .filter((task) => task.enabled && !task.draft)
            .map((task) => task.id)
            .toSorted(),
        );
      }),
      { numRuns: runs },
    );
  });

  it('is the same for any order of the file', () => {
    const shuffled = tasksOf.chain((tasks) =>
      fc.tuple(fc.constant(tasks), fc.shuffledSubarray(tasks, { minLength: tasks.length, maxLength: tasks.length })),
    );
    fc.assert(
      fc.property(shuffled, ([tasks, other]) =>
        assert.deepEqual(splitTasks(other, emptyAssignment), splitTasks(tasks, emptyAssignment)),
      ),
      { numRuns: runs },
    );
  });

  it('moves nobody when tasks are added', () => {
    fc.assert(
      fc.property(tasksOf, fc.nat({ max: 40 }), (tasks, count) => {
        const before = splitTasks(tasks.slice(0, count), emptyAssignment);
        const after = new Map([...splitTasks(tasks, before.assignment).sideOf].map(([{ id }, side]) => [id, side]));
        for (const [id, side] of sidesOf(before)) assert.equal(after.get(id), side, id);
      }),
      { numRuns: runs },
    );
  });

  it('never ties training to another side unless the person did', () => {
    fc.assert(
      fc.property(tasksOf, (tasks) => {
        const { split, leaks } = splitTasks(
          tasks.map((task) => ({ ...task, assigned: undefined })),
          emptyAssignment,
        );
        assert.deepEqual(leaks, []);
        for (const { reason } of split.setAside) assert.match(reason, /the same task twice/);
      }),
      { numRuns: runs },
    );
  });

  it('spreads tags within one of their share when tasks of one tag each are assigned in one go', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sizes, (tagSizes) => {
        const tasks = tagSizes.flatMap((size, tag) => distinct(size, { tags: [`tag${tag}`] }, tag * 100));
        const { split } = splitTasks(tasks, emptyAssignment);
        for (const side of sides) {
          for (const [tag, size] of tagSizes.entries()) {
            const share = (size * split[side].length) / tasks.length;
            const count = split[side].filter((task) => task.tags.includes(`tag${tag}`)).length;
            assert.ok(Math.abs(count - share) < 1, `${side} has ${count} of tag${tag}, its share is ${share}`);
          }
        }
        assert.deepEqual(
          sides.map((side) => split[side].length),
          sizesOf(splitTasks(distinct(tasks.length), emptyAssignment)),
        );
      }),
      { numRuns: runs / 2 },
    );
  });

  it('rounds any table of shares without losing a task', () => {
    const sizes = fc.array(fc.nat({ max: 50 }), { maxLength: 60 });
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), (tagSizes, first, second) => {
        const all = tagSizes.reduce((sum, size) => sum + size, 0);
        const training = first % (all + 1);
        const heldOut = second % (all - training + 1);
        const totals = { training, heldOut, sealed: all - training - heldOut };
        const rows = shareOutTags(tagSizes, totals);
        for (const side of sides)
          assert.equal(
            rows.reduce((sum, row) => sum + row[side], 0),
            totals[side],
          );
        rows.forEach((row, index) => {
          const size = tagSizes[index] ?? 0;
          assert.equal(row.training + row.heldOut + row.sealed, size);
          for (const side of sides) assert.ok(Math.abs(row[side] - (size * totals[side]) / (all || 1)) < 1);
        });
      }),
      { numRuns: runs * 5 },
    );
  });
});

function sizesOf({ split }: SplitResult): readonly number[] {
  return sides.map((side) => split[side].length);
}

function sidesOf({ split }: SplitResult): ReadonlyMap<string, Side> {
  return new Map(sides.flatMap((side) => split[side].map((task): [string, Side] => [task.id, side])));
}

function sorted(map: ReadonlyMap<string, Side>): readonly unknown[] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Tasks with nothing in common. */
function distinct(count: number, rest: Parameters<typeof aTask>[0] = {}, from = 0): readonly Task[] {
  return Array.from({ length: count }, (_, index) =>
    aTask({ id: `task${from + index}`, prompt: words(from + index), ...rest }),
  );
}

function words(seed: number): string {
  return Array.from({ length: 8 }, (_, index) => `w${seed}x${index}`).join(' ');
}

/** The same text under other checks. */
function underLimit(limit: number, assigned: Side | undefined): Task {
  return aTask({ id: `t${limit}`, prompt: words(1), checks: [aCheck('max_chars', { limit })], assigned });
}
