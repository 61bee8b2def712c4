import assert from 'node:assert/strict';
import { aCommandLine, type CommandLine } from '../../builders/commandLine.js';

describe('whetstone machine', () => {
  const shells: CommandLine[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  it('declares a machine one that is thrown away after a warning and a yes, and takes it back', async () => {
    const shell = aShell(['n', 'yes']);
    assert.match((await shell.run('machine')).out, /is not declared one that is thrown away/u);
    const refused = await shell.run('machine', 'throw-away');
    assert.equal(refused.code, 2);
    assert.match(refused.err, /with your rights: .* see your keys and logins.*Nothing changed/su);
    const declared = await shell.run('machine', 'throw-away');
    assert.equal(declared.code, 0);
    assert.match(declared.out, /You declared this machine one that is thrown away/u);
    assert.match((await shell.run('machine')).out, /You declared/u);
    assert.match((await shell.run('machine', 'lasting')).out, /is not declared/u);
  });

  it('takes --yes where nobody can be asked, and warns all the same', async () => {
    const shell = aShell();
    const alone = await shell.run('machine', 'throw-away');
    assert.equal(alone.code, 2);
    assert.match(alone.err, /add --yes/u);
    assert.match((await shell.run('machine')).out, /is not declared/u);
    const declared = await shell.run('machine', 'throw-away', '--yes');
    assert.match(declared.err, /with your rights/u);
    assert.match(declared.out, /You declared/u);
  });

  function aShell(answers?: readonly string[]): CommandLine {
    const shell = aCommandLine({ answers });
    shells.push(shell);
    return shell;
  }
});
