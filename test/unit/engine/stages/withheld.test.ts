import assert from 'node:assert/strict';
import { withholding } from '../../../../src/engine/stages/withheld.js';
import type { TrainingTask } from '../../../../src/tasks/task.js';
import { aCheck, aTrainingTask } from '../../../builders/aTask.js';

type Row = readonly [what: string, task: Partial<TrainingTask>, said: string, shown: string];

const exact = [aCheck('exact', {})];
const rows: readonly Row[] = [
  [
    'a reference answer, however it is written',
    { references: ['Ulaanbaatar'], checks: exact },
    'It says Paris; ULAANBAATAR is right.',
    'It says Paris; [withheld] is right.',
  ],
  [
    'a number, but not inside of another',
    { references: ['42'], checks: exact },
    '42 of 142, not 4',
    '[withheld] of 142, not 4',
  ],
  [
    'a letter in its own case',
    { references: ['A'], checks: exact },
    'A was a good choice',
    '[withheld] was a good choice',
  ],
  [
    'an answer in a script without spaces',
    { references: ['答案甲'], checks: exact },
    '应为答案甲而不是',
    '应为[withheld]而不是',
  ],
  [
    'a sentence of a long reference',
    { references: ['First it is weighed. Then the parcel is stamped twice.'], checks: exact },
    'Missing: then the parcel is stamped twice.',
    'Missing: [withheld]',
  ],
  [
    'an expression',
    { checks: [aCheck('regex', { pattern: '^Sev(?:erity)?:\\s[1-4]$' })] },
    'No match for ^Sev(?:erity)?:\\s[1-4]$ here.',
    'No match for [withheld] here.',
  ],
  [
    'what a hidden check looks for',
    { checks: [aCheck('contains', { text: 'plugh' }, true)] },
    'It never says plugh.',
    'It never says [withheld].',
  ],
  [
    'nothing of what the task says itself',
    { prompt: 'Is it red or blue?', references: ['red'], checks: exact },
    'red',
    'red',
  ],
  [
    'nothing of what a tool of the task answers',
    {
      references: ['30 days'],
      checks: exact,
      tools: [{ name: 'search', description: '', parameters: {}, result: 'Within 30 days.' }],
    },
    'Within 30 days.',
    'Within 30 days.',
  ],
];

describe('what others said about an attempt is shown without', () => {
  for (const [what, task, said, shown] of rows) {
    it(what, () => assert.equal(withholding(aTrainingTask(task), 'Paris')(said), shown));
  }

  it('nothing that the answer says itself', () => {
    const task = aTrainingTask({ references: ['Ulaanbaatar'], checks: exact });
    assert.equal(withholding(task, 'It is Ulaanbaatar.')('Ulaanbaatar'), 'Ulaanbaatar');
  });
});
