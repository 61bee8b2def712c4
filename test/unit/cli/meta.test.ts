import assert from 'node:assert/strict';
import { aCommandLine, type CommandLine } from '../../builders/commandLine.js';
import { aSkillFolder } from '../../builders/aSkillFolder.js';

describe('whetstone meta', () => {
  const shells: CommandLine[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  it('shows, rewrites and forgets the notes of the optimizer', async () => {
    const shell = aCommandLine({ input: '- Prefer `replace`.\n' });
    shells.push(shell);
    const skill = aSkillFolder(shell.folder);
    assert.match((await shell.run('meta', 'show', skill)).out, /There are no notes on this skill/u);
    assert.equal((await shell.run('meta', 'edit', skill)).code, 0);
    assert.equal((await shell.run('meta', 'show', skill)).out, '- Prefer `replace`.\n');
    assert.deepEqual(JSON.parse((await shell.run('meta', 'show', skill, '--json')).out), {
      metaSkill: '- Prefer `replace`.',
    });
    assert.match((await shell.run('meta', 'reset', skill)).out, /^Forgotten/u);
    assert.deepEqual(JSON.parse((await shell.run('meta', 'show', skill, '--json')).out), { metaSkill: '' });
  });

  it('says where something was masked, and prints what is kept', async () => {
    const key = 'sk-proj-Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh8Ii9Jj0Kk1Ll2Mm3';
    const shell = aCommandLine({ input: `- Ask with ${key}.\n` });
    shells.push(shell);
    const { out, err } = await shell.run('meta', 'edit', aSkillFolder(shell.folder), '--json');
    assert.match(err, /looks like a secret was masked/u);
    assert.ok(!out.includes(key), out);
    assert.match(String(Reflect.get(JSON.parse(out), 'metaSkill')), /^- Ask with /u);
  });

  it('keeps the notes where nothing comes in', async () => {
    const shell = aCommandLine({ input: ' \n' });
    shells.push(shell);
    const { code, err } = await shell.run('meta', 'edit', aSkillFolder(shell.folder));
    assert.equal(code, 2);
    assert.match(err, /the notes stay as they are.*meta reset/su);
  });

  it('says what it does', async () => {
    const shell = aCommandLine();
    shells.push(shell);
    const { out } = await shell.run('meta', '--help');
    for (const name of ['show', 'edit', 'reset']) assert.match(out, new RegExp(`^  ${name} `, 'mu'));
  });
});
