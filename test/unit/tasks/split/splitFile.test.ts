import assert from 'node:assert/strict';
import { UserError } from '../../../../src/errors.js';
import { emptyAssignment, printSplitFile, readSplitFile } from '../../../../src/tasks/split/splitFile.js';
import { splitProblems } from '../../../../src/tasks/split/splitProblems.js';
import { splitTasks } from '../../../../src/tasks/split/splitTasks.js';
import { aTask } from '../../../builders/aTask.js';

const whole = { path: 'evals.json', start: { offset: 0, line: 1, column: 1 }, end: { offset: 1, line: 1, column: 2 } };

describe('split.json', () => {
  it('reads back what it wrote, one line a task', () => {
    const { assignment } = splitTasks([aTask({ id: 'a' }), aTask({ id: 'b', prompt: 'Other words' })], emptyAssignment);
    const memories = new Map([
      ['skills/mail/SKILL.md', assignment],
      ['empty/SKILL.md', emptyAssignment],
    ]);
    const text = printSplitFile(memories);
    assert.deepEqual(readSplitFile(text, 'split.json'), memories);
    assert.equal(text.split('\n').length, 12);
    assert.equal(printSplitFile(readSplitFile(text, 'split.json')), text);
  });

  it('keeps that a task was trained on', () => {
    const trained = aTask({ assigned: 'training' });
    const { assignment } = splitTasks([trained], emptyAssignment);
    const moved = splitTasks([{ ...trained, assigned: 'heldOut' }], assignment).assignment;
    const back = readSplitFile(printSplitFile(new Map([['s', moved]])), 'split.json');
    assert.deepEqual(back.get('s')?.get(trained.contentHash)?.trained, true);
    assert.deepEqual(back.get('s')?.get(trained.contentHash)?.side, 'heldOut');
  });

  it('remembers nothing where there is no file', () => {
    assert.deepEqual(readSplitFile(undefined, 'split.json'), new Map());
  });

  const refused: readonly (readonly [string, string, string])[] = [
    ['a merge conflict', '<<<<<<< ours\n{}', 'store-unusable'],
    ['another format', '{"format":"x","version":1,"skills":{}}', 'store-unusable'],
    [
      'a side that does not exist',
      '{"format":"whetstone.split","version":1,"skills":{"s":{"h":{"side":"left","id":"a","text":"t"}}}}',
      'store-unusable',
    ],
    [
      'a task without a side in a file that knew no such thing',
      '{"format":"whetstone.split","version":1,"skills":{"s":{"h":{"id":"a","text":"t"}}}}',
      'store-unusable',
    ],
    ['a newer version', '{"format":"whetstone.split","version":3,"skills":{}}', 'store-newer'],
  ];
  for (const [name, text, code] of refused) {
    it(`refuses ${name}, since forgetting a split would end what was proved`, () => {
      assert.throws(
        () => readSplitFile(text, 'split.json'),
        (error) =>
          error instanceof UserError &&
          error.code === code &&
          error.message.includes('split.json') &&
          error.cure !== '',
      );
    });
  }
});

describe('splitProblems', () => {
  it('says how many tasks are missing for a certification', () => {
    const tasks = [
      aTask({ id: 'a', prompt: 'First of all' }),
      aTask({ id: 'b', prompt: 'Something else' }),
      aTask({ id: 'c', prompt: 'And now this' }),
    ];
    const problems = splitProblems(splitTasks(tasks, emptyAssignment), { places: new Map() }, whole);
    assert.deepEqual(
      problems.map(({ code, message }) => [code, message]),
      [['too-few-tasks', 'An improvement can be shown with 5 held-out tasks; there are 1. Add 4 more tasks.']],
    );
  });

  it('says so where many tasks are one', () => {
    const tasks = Array.from({ length: 9 }, (_, index) =>
      aTask({ id: `t${index}`, prompt: `Where does the badger${'!'.repeat(index)}` }),
    );
    const problems = splitProblems(splitTasks(tasks, emptyAssignment), { places: new Map() }, whole);
    assert.deepEqual(
      problems.map(({ message }) => message),
      [
        'An improvement can be shown with 5 held-out tasks; there are 0. 9 tasks are almost the same or of one origin, so they stay on one side. Add 5 more tasks.',
      ],
    );
  });

  it('asks for the drafts that wait before it asks for more tasks', () => {
    const drafts = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => aTask({ id, prompt: `Number ${id}`, draft: true }));
    const read = { places: new Map(), tasks: drafts };
    assert.deepEqual(
      splitProblems(splitTasks([], emptyAssignment), read, whole).map(({ message }) => message),
      [
        'An improvement can be shown with 5 held-out tasks; there are 0. Drafts that wait for you: 7. Confirm those that are good.',
      ],
    );
  });

  it('shows what was set aside, and what leaked, on the lines of the tasks', () => {
    const tasks = [
      aTask({ id: 'a', prompt: 'Read the log and name the cause', origin: 'x', assigned: 'training' }),
      aTask({ id: 'b', prompt: 'Write to the customer about the delay', assigned: 'heldOut' }),
      aTask({ id: 'n', prompt: 'Write to the customer about the delay!', origin: 'x', checks: [] }),
      aTask({ id: 'l', prompt: 'read the log and name the cause', assigned: 'heldOut' }),
      ...['one', 'two', 'three', 'four'].map((id) =>
        aTask({ id, prompt: `Number ${id}`, assigned: 'heldOut' as const }),
      ),
    ];
    const place = { ...whole, start: { offset: 9, line: 3, column: 1 } };
    const problems = splitProblems(splitTasks(tasks, emptyAssignment), { places: new Map([['n', place]]) }, whole);
    assert.deepEqual(
      problems.map(({ code, taskId }) => [code, taskId]),
      [
        ['set-aside', 'n'],
        ['leak', 'l'],
      ],
    );
    assert.deepEqual(problems[0]?.place, place);
  });
});
