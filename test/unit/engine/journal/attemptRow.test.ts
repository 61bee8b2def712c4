import assert from 'node:assert/strict';
import type { AttemptEvent } from '../../../../src/engine/journal/attemptEvent.js';
import { attemptRow } from '../../../../src/engine/journal/attemptRow.js';
import { aHeldOutTask, aSealedTask, aTrainingTask } from '../../../builders/aTask.js';

describe('an attempt as the paper’s trainer lists it', () => {
  it('has no score where there was no result', () => {
    const row = attemptRow({ ...attempt, outcome: { kind: 'invalid', reason: 'gone' } });
    assert.deepEqual(
      [row['hard'], row['soft'], row['fail_reason'], row['response'], row['n_turns']],
      [null, null, 'gone', null, 0],
    );
  });

  it('has the names and the values of the paper’s trainer', () => {
    const task = aTrainingTask({ id: 't', prompt: 'Capital?', references: ['Paris', 'Lutetia'] });
    const prompts = { system: 'Follow {skill}', user: 'Capital?' };
    const row = attemptRow({ ...attempt, turns: 3 }, { task, type: 'geo', response: 'Rome', prompts });
    assert.deepEqual(row, {
      id: 't',
      attempt: 1,
      hard: 0,
      soft: 0.5,
      n_turns: 3,
      fail_reason: 'Not met: The answer contains “hello”.',
      task_type: 'geo',
      question: 'Capital?',
      predicted_answer: 'Rome',
      reference_text: 'Paris | Lutetia',
      target_system_prompt: 'Follow {skill}',
      target_user_prompt: 'Capital?',
      skill_hash: '0123456789abcdef',
      failed_checks: ['contains'],
      response: 'Rome',
      tokens: 3,
      latency_ms: 7,
      cached: false,
    });
  });

  it('says what was said of the failure, and nothing where every check passed', () => {
    assert.equal(attemptRow(attempt, { reasons: ['It lacks a name.', 'Fine.'] })['fail_reason'], 'It lacks a name.');
    const passed = { ...attempt, checks: [{ check: 'contains', pass: true }] };
    assert.equal(attemptRow(passed)['fail_reason'], '');
  });

  it('keeps a share that an environment gave for hard', () => {
    const outcome = { kind: 'scored', hard: 0, soft: 0.5, givenHard: 0.75 } as const;
    assert.equal(attemptRow({ ...attempt, outcome })['hard'], 0.75);
  });

  it('takes along what the environment said, which takes the place of nothing', () => {
    const extras = { postage: 'second class', id: 'forged', hard: 1, ['__proto__']: { polluted: true } };
    const row = attemptRow(attempt, { task: aTrainingTask({ id: 't' }), extras });
    assert.deepEqual([row['postage'], row['id'], row['hard']], ['second class', 't', 0]);
    assert.equal(Object.getPrototypeOf(row), Object.prototype);
  });

  for (const task of [
    aHeldOutTask({ id: 't', references: ['Paris'] }),
    aSealedTask({ id: 't', references: ['Paris'] }),
  ])
    it(`tells no reference of a task that is ${task.side}, whoever names one`, () => {
      const row = attemptRow(attempt, { task, extras: { reference_text: 'Paris', more: 1 } });
      assert.ok(!('reference_text' in row));
      assert.equal(row['more'], 1);
    });
});

const attempt: AttemptEvent = {
  kind: 'attempt',
  stage: 'rollout',
  step: 1,
  skillHash: '0123456789abcdef0123456789abcdef',
  taskId: 't',
  attempt: 1,
  outcome: { kind: 'scored', hard: 0, soft: 0.5 },
  answerHash: 'y',
  tokens: 3,
  latencyMs: 7,
  cached: false,
  checks: [
    { check: 'contains', pass: false },
    { check: 'max_chars', pass: true },
  ],
};
