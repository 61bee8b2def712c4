import assert from 'node:assert/strict';
import { checkCatalog } from '../../../../src/checks/registry.js';
import { readTasks } from '../../../../src/tasks/readers/readTasks.js';

describe('an environment that is declared with an error', () => {
  for (const [more, message] of [
    [{ hosts: ['https://x.org'] }, /^“environments\.robot\.hosts\.0”: /],
    [
      { reads: 'x' },
      /^“environments\.robot\.reads”: must be a list in square brackets, such as \["~\/data"\]\. What stands there is “x”\.$/,
    ],
    [{ reads: [7] }, /^“environments\.robot\.reads\.0”: must be a path in quotation marks\. What stands there is 7\.$/],
    [{ redas: [] }, /^“environments\.robot”: “redas” is no key of an environment\. Did you mean “reads”\?/],
  ] as const)
    it(`is named with what is wrong: ${JSON.stringify(more)}`, () => {
      const environments = { robot: { command: 'robot', ...more } };
      const { problems, misdeclared } = readTasks(
        {
          evalsText: JSON.stringify({ evals: [{ id: 'good', prompt: 'x', expectations: ['y'] }] }),
          evalsPath: 'evals.json',
          whetstoneText: JSON.stringify({ format: 'whetstone.tasks', version: 1, environments }),
          whetstonePath: 'whetstone.json',
        },
        checkCatalog,
      );
      const [problem] = problems.filter(({ severity }) => severity === 'error');
      assert.match(problem?.message ?? '', message);
      assert.equal(misdeclared?.get('robot'), problem?.message);
    });
});
