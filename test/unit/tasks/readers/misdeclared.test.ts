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

  const twice: readonly [what: string, environments: string, name: string][] = [
    ['of one name', '"robot": { "command": "look" }, "robot": { "command": "run" }', 'robot'],
    ['with two commands', '"robot": { "command": "look", "command": "run" }', 'command'],
  ];
  for (const [what, environments, name] of twice)
    it(`is not declared where there are two ${what}: nobody can say which is meant`, () => {
      const { problems, misdeclared, environments: declared } = readWith(`"environments": { ${environments} }`);
      assert.deepEqual(
        problems.filter(({ severity }) => severity === 'error').map(({ message }) => message),
        [`“${name}” stands here twice. Keep one of the two.`],
      );
      assert.match(misdeclared?.get('robot') ?? '', /stands here twice/);
      assert.equal(declared.has('robot'), false);
    });

  it('is told beside a task that says one thing twice, which is left out, and beside two lists of tasks', () => {
    const task = '"good": { "checks": [{ "check": "contains", "text": "a" }], "checks": [] }';
    const { tasks, problems } = readWith(`"tasks": { ${task} }`);
    assert.deepEqual(tasks, []);
    assert.match(problems[0]?.message ?? '', /^“checks” stands here twice/);
    assert.equal(problems[0]?.taskId, 'good');
    assert.match(readWith('"tasks": {}, "tasks": {}').problems[0]?.message ?? '', /^“tasks” stands here twice/);
  });
});

function readWith(more: string) {
  return readTasks(
    {
      evalsText: JSON.stringify({ evals: [{ id: 'good', prompt: 'x', expectations: ['y'] }] }),
      evalsPath: 'evals.json',
      whetstoneText: `{ "format": "whetstone.tasks", "version": 1, ${more} }`,
      whetstonePath: 'whetstone.json',
    },
    checkCatalog,
  );
}
