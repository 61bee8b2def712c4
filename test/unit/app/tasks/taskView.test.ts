import assert from 'node:assert/strict';
import { judgedBy } from '../../../../src/app/tasks/taskView.js';
import { aCheck, aTask } from '../../../builders/aTask.js';

describe('what a person is told that an answer is judged by', () => {
  it('is the expression itself, where no words say what it demands', () => {
    const task = aTask({ checks: [aCheck('regex', { pattern: '^(?:a|b(?!c))+$' })] });
    assert.deepEqual(judgedBy(task), [
      'The answer follows a fixed pattern that this task requires. Its expression is ^(?:a|b(?!c))+$',
    ]);
  });

  it('is in words, where they say it', () => {
    const described = aCheck('regex', { pattern: '^(?:a|b(?!c))+$', criterion: 'Only a and b.' });
    assert.deepEqual(judgedBy(aTask({ checks: [described] })), ['Only a and b.']);
    assert.deepEqual(judgedBy(aTask({ checks: [aCheck('contains', { text: 'x' })] })), ['The answer contains “x”.']);
  });
});
