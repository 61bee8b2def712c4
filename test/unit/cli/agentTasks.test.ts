import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { evals, put, taskShells } from '../../builders/taskShell.js';

const { aSkill, dispose } = taskShells();
const words = ['--prompt', 'Raise the price of the lamp', '--expect', 'It says what it changed.'];

describe('a task for an agent on the command line', () => {
  after(dispose);

  it('is added with all that the editor asks for, and shown with it', async () => {
    const { shell, folder } = aSkill({ 'evals/evals.json': { evals } });
    put(folder, { 'evals/fixtures/shop/prices.csv': 'lamp,19\n' });
    const how = ['--fixture', 'evals/fixtures/shop', '--mode', 'forced', '--program', 'codex'];
    const limits = ['--max-tokens', '9000', '--max-turns', '7', '--minutes', '2.5'];
    const judged = ['--changed-file', 'prices.csv', '--skill-used'];
    const added = await shell.run('tasks', 'add', folder, '--id', 'lamp', ...words, ...how, ...limits, ...judged);
    assert.equal(added.code, 0, added.err);
    const { tasks } = JSON.parse(readFileSync(path.join(folder, 'evals/whetstone.json'), 'utf8'));
    assert.deepEqual(tasks.lamp, {
      contentHash: tasks.lamp.contentHash,
      checks: [{ check: 'file_changed', path: 'prices.csv' }, { check: 'skill_used' }],
      environment: 'agent',
      agent: {
        fixture: 'evals/fixtures/shop',
        program: 'codex',
        maxTokens: 9000,
        maxTurns: 7,
        minutes: 2.5,
        mode: 'forced',
      },
    });
    const { out } = await shell.run('tasks', 'show', folder, 'lamp');
    const lines = [
      'Agent:',
      '  - It works in a copy of evals/fixtures/shop.',
      '  - It is told to use the skill.',
      '  - The program is codex.',
      '  - An attempt takes at most 9,000 tokens.',
      '  - An attempt takes at most 7 calls to its model.',
      '  - An attempt takes at most 2.5 minutes.',
    ];
    assert.ok(out.includes(lines.join('\n')), out);
  });

  const refusals: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['a mode', ['--mode', 'forcd'], /“mode” must be one of these: offered, forced\..*Did you mean “forced”\?/s],
    ['a program', ['--program', 'claud'], /“program” must be one of these: .*Did you mean “claude-code”\?/s],
    ['a limit that is no number', ['--max-turns', 'many'], /“maxTurns” must be a number.*“many”/s],
    ['too few tokens', ['--max-tokens', '5'], /“maxTokens” must be at least 1000/],
    ['a file elsewhere', ['--changed-file', '../x'], /“\.\.\/x” is no file of it\.\s+Name it relative to the folder/],
    ['two places to start from', ['--commit', 'last'], /starts from a folder or from a commit/],
  ];
  it('is refused in plain words, and nothing is written', async () => {
    const { shell, folder } = aSkill({ 'evals/evals.json': { evals } });
    put(folder, { 'evals/fixtures/shop/prices.csv': 'lamp,19\n' });
    const before = readFileSync(path.join(folder, 'evals/evals.json'), 'utf8');
    const add = (...more: readonly string[]) => shell.run('tasks', 'add', folder, '--id', 'lamp', ...words, ...more);
    for (const [name, more, said] of refusals) {
      const { code, err } = await add('--fixture', 'evals/fixtures/shop', ...more);
      assert.equal(code, 2, name);
      assert.match(err, said, name);
    }
    const places: readonly (readonly [string, RegExp])[] = [
      ['evals/fixtures/gone', /The folder “evals\/fixtures\/gone” that the task “lamp” starts from is missing\./],
      [
        'evals/fixtures/shop/prices.csv',
        /is a file, and a folder is needed\. Put the file into a folder of its own and name that\.\s*$/,
      ],
      ['../elsewhere', /must lie in the folder of the skill/],
    ];
    for (const [fixture, said] of places) assert.match((await add('--fixture', fixture)).err, said);
    assert.match((await add('--mode', 'forced')).err, /not in which folder\.\s+Name it with --fixture/);
    assert.match((await add('--commit', 'last')).err, /lies in no repository with a commit/);
    assert.match((await add('--commit', 'main')).err, /“fixture\.commit”: must be the 40 hexadecimal digits/);
    assert.equal(readFileSync(path.join(folder, 'evals/evals.json'), 'utf8'), before);
  });
});
