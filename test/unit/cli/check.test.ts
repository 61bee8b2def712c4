import assert from 'node:assert/strict';
import { evals, taskShells } from '../../builders/taskShell.js';

const { aSkill, dispose } = taskShells();

describe('whetstone check', () => {
  after(dispose);

  it('names once what it passes over in the task files, and says plainly what it is doing', async () => {
    const [first, ...others] = evals;
    const { shell, folder } = aSkill({ 'evals/evals.json': { evals: [{ ...first, split: 'heldOut' }, ...others] } });
    const { code, out, err } = await shell.run('check', folder, '--update', '--model', 'simulated');
    assert.equal(code, 0, err);
    assert.match(err, /^scoring tasks: 4 attempts to make, \d+ % done$/m);
    const said = out.split('\n').filter((line) => line.includes('Nothing reads'));
    assert.equal(said.length, 1, out);
    assert.match(
      said[0] ?? '',
      /^warning: \S*evals\.json:\d+:\d+: Nothing reads “split” of the task “t0” in evals\.json\. That belongs/,
    );
    const json = JSON.parse((await shell.run('check', folder, '--model', 'simulated', '--json')).out);
    const codes = json[0].problems.map(({ code: each }: { code: string }) => each);
    assert.deepEqual(codes, ['unknown-field', 'too-few-tasks']);
  });

  it('leaves a task out whose checks stand where nothing reads them, and says so', async () => {
    const [first, ...others] = evals;
    const checks = [{ check: 'contains', text: 'hi' }];
    const { shell, folder } = aSkill({ 'evals/evals.json': { evals: [{ ...first, checks }, ...others] } });
    const { out } = await shell.run('check', folder, '--update', '--model', 'simulated');
    assert.match(out, / over 3 tasks /);
    assert.match(out, /^error: \S*evals\.json:\d+:\d+: Nothing reads “checks” of the task “t0” in evals\.json\./m);
    const held = await shell.run('check', folder, '--model', 'simulated');
    assert.equal(held.code, 1, 'what could not be attempted was not checked');
    assert.match(held.out, /^✗ greeter: holds its record: .*\n {4}1 task could not be attempted: see below$/mu);
  });
});
