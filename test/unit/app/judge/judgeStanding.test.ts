import assert from 'node:assert/strict';
import { judgedTasks, standingOf } from '../../../../src/app/judge/judgeStanding.js';
import { judgePrompt } from '../../../../src/prompts/judge.js';
import type { PromptOverrides } from '../../../../src/prompts/renderPrompt.js';
import { aCheck, aTask } from '../../../builders/aTask.js';

const ours: PromptOverrides = new Map();
const theirs: PromptOverrides = new Map([['judge', { path: 'judge.md', text: `${judgePrompt.text}\nBe strict.` }]]);
const chats: PromptOverrides = new Map([...theirs].map(([name, text]) => [`environments/chat/${name}`, text]));

describe('which labels count for a judge', () => {
  const task = aTask({ checks: [aCheck('rubric', { rubric: 'It is kind.' })], expectations: ['It is short.'] });
  const sides = { training: [task], heldOut: [] };

  it('are those of criteria that it is asked today, with the words of today', () => {
    assert.equal(standingOf(labelled(ours), 'a-judge', judgedTasks(sides, ours)).agreement?.labels, 2);
    for (const [made, now] of [
      [ours, theirs],
      [theirs, ours],
      [ours, chats],
    ] as const) {
      const { agreement, ofOthers, changed } = standingOf(labelled(made), 'a-judge', judgedTasks(sides, now));
      assert.deepEqual([agreement, ofOthers, changed], [undefined, 2, 0]);
    }
    assert.equal(standingOf(labelled(theirs), 'a-judge', judgedTasks(sides, chats)).agreement?.labels, 2);
  });

  it('are not those that another model graded, nor those of a criterion that is gone', () => {
    const other = standingOf(labelled(ours), 'another', judgedTasks(sides, ours));
    assert.deepEqual([other.agreement, other.ofOthers], [undefined, 2]);
    const shorter = { ...sides, training: [aTask({ checks: task.checks })] };
    const { agreement, changed } = standingOf(labelled(ours), 'a-judge', judgedTasks(shorter, ours));
    assert.deepEqual([agreement?.labels, changed], [1, 1]);
  });

  it('are none where no judge is asked, as of a task with rules alone', () => {
    assert.deepEqual(judgedTasks({ training: [aTask()], heldOut: [] }, ours), []);
  });

  function labelled(prompts: PromptOverrides): Parameters<typeof standingOf>[0] {
    const asked = judgedTasks(sides, prompts).flatMap((each) => each.asked);
    const labels = asked.map(({ criterion, prompt }) => ({
      id: criterion,
      task: 'task',
      criterion,
      answer: 'a',
      label: 'pass' as const,
      grades: [{ judge: 'a-judge', prompt, grade: 'pass' as const }],
    }));
    return { notYours: 0, letIn: 0, labels: { format: 'whetstone-judge', version: 1, judge: 'a-judge', labels } };
  }
});
