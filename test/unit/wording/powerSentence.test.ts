import assert from 'node:assert/strict';
import type { TaskPower } from '../../../src/gate/power/taskPower.js';
import { powerOf } from '../../../src/gate/statistics/power.js';
import { powerSentence, settledLines, settledReport } from '../../../src/wording/powerSentence.js';
import { english } from '../../../src/wording/translate.js';

const assumed = 'Told assuming every pass rate: no task has 5 earlier attempts yet.';

describe('what a task set can detect, in a sentence', () => {
  const table = [
    { n: 0, sentence: 'With 0 held-out tasks no improvement can be shown; at least 5 are needed.' },
    { n: 1, sentence: 'With 1 held-out task no improvement can be shown; at least 5 are needed.' },
    {
      n: 5,
      sentence: `With 5 held-out tasks, a gain of 40 points is detected in about half of the runs, a gain of 20 in less than one run in five. ${assumed}`,
    },
    {
      n: 8,
      sentence: `With 8 held-out tasks, a gain of 40 points is detected in 9 of 10 runs, a gain of 20 in less than half of the runs. ${assumed}`,
    },
    {
      n: 20,
      sentence: `With 20 held-out tasks, a gain of 40 points is detected almost always, a gain of 20 in 8 of 10 runs. ${assumed}`,
    },
    {
      n: 500,
      sentence: `With 500 held-out tasks, a gain of 40 points is detected almost always, a gain of 20 almost always. ${assumed}`,
    },
  ];
  for (const { n, sentence } of table) {
    it(sentence, () => assert.equal(powerSentence(unknownTasks(n), english), sentence));
  }

  it('says how many attempts it is told from, and for how many tasks', () => {
    assert.match(from({ tasks: 12, attempts: { low: 5, high: 5 } }), / Told from 5 earlier attempts a task\.$/);
    assert.match(
      from({ tasks: 9, attempts: { low: 5, high: 12 } }),
      / Told from 5 to 12 earlier attempts at 9 of 12 tasks, assuming every pass rate for the others\.$/,
    );
  });
});

describe('tasks that cannot decide, in sentences', () => {
  const power: TaskPower = {
    n: 12,
    found20: 0.374,
    found40: 0.943,
    known: { tasks: 12, attempts: { low: 8, high: 9 } },
    alwaysPass: [
      { id: 'a', attempts: 8 },
      { id: 'b', attempts: 9 },
    ],
    alwaysFail: [{ id: 'z', attempts: 8 }],
    instead: { found20: 0.591, found40: 0.986 },
  };

  it('name each as what it is, with its attempts, and what those that pass cost', () => {
    assert.deepEqual(settledLines(power, english), [
      '2 of 12 held-out tasks always pass: a gain of 20 points would be found in 37 % instead of 59 % of runs, one of 40 in 94 % instead of 99 %.',
      'Passed in all known attempts with the skill as it is, so that no gain shows there, but damage does: a (8), b (9). They stay held out.',
      '1 of 12 held-out tasks always fails: an edit may make it pass, or its check is broken.',
      'Failed in all known attempts with the skill as it is: z (8). They stay held out, and count as passable here.',
    ]);
  });

  it('offer harder ones in a report where some always pass, and say nothing where none is settled', () => {
    assert.match(settledReport(power, english).at(-1) ?? '', /whetstone tasks draft/);
    const failing = settledReport({ ...power, alwaysFail: [...power.alwaysPass, ...power.alwaysFail] }, english);
    assert.doesNotMatch(failing.join(' '), /whetstone tasks draft/);
    assert.match(failing.at(-1) ?? '', /Look first at the checks/);
    assert.deepEqual(settledReport({ ...power, alwaysPass: [], alwaysFail: [] }, english), []);
    assert.deepEqual(settledReport(undefined, english), []);
  });

  it('give no figure where none is known', () => {
    const [first] = settledLines({ ...power, instead: undefined }, english);
    assert.equal(first, 'So far 2 of 12 held-out tasks always pass.');
  });
});

function from(known: TaskPower['known']): string {
  return powerSentence({ ...unknownTasks(12), known }, english);
}

function unknownTasks(n: number): TaskPower {
  return { ...powerOf(n), known: { tasks: 0 }, alwaysPass: [], alwaysFail: [] };
}
