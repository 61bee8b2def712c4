import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { aCommandLine, type CommandLine } from '../../builders/commandLine.js';

describe('completion in a shell', () => {
  let line: CommandLine;
  before(() => (line = aCommandLine()));
  after(() => line.dispose());

  const asked = [
    ['whetstone opt', 'optimize'],
    ['whetstone adopt skill --ed', '--edits'],
    ['whetstone tasks conf', 'confirm'],
    ['whetstone tasks confirm skill --al', '--all'],
  ] as const;
  for (const [typed, wanted] of process.platform === 'win32' ? [] : asked) {
    it(`gives ${wanted} in bash for “${typed}”`, async () => {
      const { code, out } = await line.run('completion', 'bash');
      assert.equal(code, 0);
      const words = typed.split(' ');
      const last = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _whetstone; echo "\${COMPREPLY[@]}"`;
      const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', `${out}\n${last}`], { encoding: 'utf8' });
      assert.deepEqual(stdout.trim().split(' '), [wanted], stderr);
    });
  }

  it('names every command in fish, and refuses a shell that it does not know', async () => {
    const { out } = await line.run('completion', 'fish');
    for (const name of ['optimize', 'adopt', 'tasks', 'night']) assert.match(out, new RegExp(`-a ${name} -d '`));
    const { code, err } = await line.run('completion', 'tcsh');
    assert.equal(code, 2);
    assert.match(err, /There is no completion for “tcsh”\. There is one for bash, zsh, fish\./);
  });
});

describe('the help of the command line', () => {
  it('has groups, examples and the environment, and no empty defaults', async () => {
    const line = aCommandLine();
    const { out } = await line.run('--help');
    for (const part of ['Train and measure:', 'Decide on a proposal:', 'Examples:', 'WHETSTONE_HOME'])
      assert.ok(out.includes(part), part);
    assert.doesNotMatch((await line.run('optimize', '--help')).out, /default: \[\]/);
    line.dispose();
  });
});
