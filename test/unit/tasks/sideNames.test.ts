import assert from 'node:assert/strict';
import { checkCatalog } from '../../../src/checks/registry.js';
import { readTasks } from '../../../src/tasks/readers/readTasks.js';

describe('the side of a task in whetstone.json', () => {
  const sides: Readonly<Record<string, string>> = {
    training: 'training',
    train: 'training',
    val: 'heldOut',
    valid_seen: 'heldOut',
    'held-out': 'heldOut',
    test: 'sealed',
    valid_unseen: 'sealed',
  };
  for (const [name, side] of Object.entries(sides))
    it(`may be called “${name}”`, () => {
      assert.deepEqual(
        read(name).tasks.map(({ assigned }) => assigned),
        [side],
      );
    });

  it('is an error where no side is called that', () => {
    const [problem] = read('left').problems;
    assert.equal(problem?.severity, 'error');
    assert.match(problem.message, /“split” must be one of these: training, train/);
  });
});

function read(split: string): ReturnType<typeof readTasks> {
  return readTasks(
    {
      evalsText: JSON.stringify({ evals: [{ id: 1, prompt: 'One', expectations: ['x'] }] }),
      evalsPath: 'e',
      whetstoneText: JSON.stringify({ format: 'whetstone.tasks', version: 1, tasks: { 1: { split } } }),
      whetstonePath: 'w',
    },
    checkCatalog,
  );
}
