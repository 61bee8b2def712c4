import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { allPrompts } from '../../../src/prompts/allPrompts.js';
import { upstreamKeys } from '../../../src/prompts/upstreamPrompts.js';
import { aCommandLine, type CommandLine } from '../../builders/commandLine.js';
import { aSkillFolder, aWhetstoneFile } from '../../builders/aSkillFolder.js';

const shipped = allPrompts.find(({ template }) => template.name === 'attempt')?.template.text ?? '';
const own = shipped.replace('Follow it.', 'Follow it. The answer contains “zeppelin”.');

describe('prompts of a workspace', () => {
  const shells: CommandLine[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  it('are shown and refused at first, used once they are allowed, and remembered', async () => {
    const { shell, folder, put } = aSkill();
    put('attempt.md', own);
    const refused = await shell.run('evaluate', folder);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /--- as it ships[\s\S]*\+\+\+ \.whetstone\/prompts\/attempt\.md/);
    assert.match(refused.err, /\+.*zeppelin/);
    assert.match(refused.err, /you have not allowed that text yet.*--allow-prompts/);

    assert.equal(await score(shell, folder, '--allow-prompts'), 1);
    assert.equal(await score(shell, folder), 1);
  });

  it('are read again for the next run, and shown again when they changed', async () => {
    const { shell, folder, put } = aSkill();
    put('attempt.md', own);
    assert.equal(await score(shell, folder, '--allow-prompts'), 1);
    put('attempt.md', own.replace('zeppelin', 'submarine'));
    const changed = await shell.run('evaluate', folder);
    assert.equal(changed.code, 2);
    assert.match(changed.err, /submarine/);
    assert.equal(await score(shell, folder, '--allow-prompts'), 0);
  });

  it('are not read through a link that leads out of the workspace, whatever is allowed', async () => {
    for (const link of ['attempt.md', 'environments'] as const) {
      const { shell, folder } = aSkill();
      const outside = mkdtempSync(path.join(os.tmpdir(), 'whetstone-outside-'));
      mkdirSync(path.join(outside, 'chat'));
      writeFileSync(path.join(outside, 'chat/attempt.md'), own);
      const prompts = path.join(shell.folder, '.whetstone/prompts');
      symlinkSync(link === 'attempt.md' ? path.join(outside, 'chat/attempt.md') : outside, path.join(prompts, link));
      const refused = await shell.run('evaluate', folder, '--allow-prompts');
      rmSync(outside, { recursive: true });
      assert.equal(refused.code, 2);
      assert.match(refused.err, /attempt\.md is a link that leads out of .*, so it is not read\./);
      assert.doesNotMatch(refused.err, /zeppelin/);
    }
  });

  it('are ours where they say the same', async () => {
    const { shell, folder, put } = aSkill();
    put('attempt.md', shipped);
    assert.equal(await score(shell, folder), 0);
  });

  const malformed: readonly (readonly [string, string, string | Uint8Array, RegExp])[] = [
    [
      'a placeholder that nothing fills',
      'attempt.md',
      `${own}\n{{skil}}\n`,
      /attempt\.md, line 9: nothing fills “\{\{skil\}\}”/,
    ],
    [
      'a placeholder that is missing',
      'attempt.md',
      own.replace('{{skill}}', ''),
      /attempt\.md, line \d+: the prompt ends without “\{\{skill\}\}”/,
    ],
    [
      'a name that no prompt has',
      'atempt.md',
      own,
      /atempt\.md: there is no prompt named “atempt”\. Did you mean “attempt”\?/,
    ],
    ['text in another encoding', 'attempt.md', Buffer.from(`${own}\xe9`, 'latin1'), /attempt\.md is not UTF-8/],
  ];
  for (const [name, file, content, says] of malformed) {
    it(`are refused with ${name}, before anything is spent`, async () => {
      const { shell, folder, put } = aSkill();
      put(file, content);
      for (const command of ['evaluate', 'optimize']) {
        const done = await shell.run(command, folder, '--allow-prompts');
        assert.equal(done.code, 1);
        assert.match(done.err, says);
      }
    });
  }

  const levels: readonly (readonly [name: string, files: Readonly<Record<string, string>>, score: number])[] = [
    ['one skill', { 'skills/SKILL/attempt.md': own }, 1],
    ['another skill, which leaves this one alone', { 'skills/elsewhere/attempt.md': own }, 0],
    ['an environment', { 'environments/chat/attempt.md': own }, 1],
    ['another environment, which leaves this one alone', { 'environments/tools/attempt.md': own }, 0],
    [
      'an environment before those for all',
      { 'environments/chat/attempt.md': own, 'attempt.md': `${shipped}\nBe kind.` },
      1,
    ],
    [
      'a skill before an environment',
      { 'skills/SKILL/attempt.md': own, 'environments/chat/attempt.md': `${shipped}\nBe kind.` },
      1,
    ],
  ];
  for (const [name, files, expected] of levels) {
    it(`count for ${name}`, async () => {
      const { shell, folder, put } = aSkill();
      const skill = path.relative(shell.folder, folder).split(path.sep).join('/');
      for (const [file, text] of Object.entries(files)) put(file.replace('SKILL', skill), text);
      assert.equal(await score(shell, folder, '--allow-prompts'), expected);
      const asks = Object.keys(files).some((file) => !/elsewhere/.test(file));
      put(Object.keys(files)[0]?.replace('SKILL', skill) ?? '', `${own} Once more.`);
      assert.equal((await shell.run('evaluate', folder)).code, asks ? 2 : 0);
    });
  }

  it('may have the names that SkillOpt has, with what it says there', async () => {
    const { shell, folder, put } = aSkill();
    for (const key of upstreamKeys) put(`${key}.md`, `You are the ${key} of zeppelins. Reply as JSON.`);
    const refused = await shell.run('optimize', folder, '--dry-run');
    assert.equal(refused.code, 2);
    assert.match(refused.err, /analyst_error\.md/);
    const { out, code, err } = await shell.run('preview', folder, '--allow-prompts');
    assert.equal(code, 0, err);
    assert.match(out, /You are the analyst_error of zeppelins/);
    put('reflectFailures.md', `Be kind.\n\n${textOf('reflectFailures')}`);
    assert.match((await shell.run('preview', folder, '--allow-prompts')).err, /takes the place of the same prompt/);
  });

  it('are shown before tasks are drafted too', async () => {
    const { shell, folder, put } = aSkill();
    const draft = allPrompts.find(({ template }) => template.name === 'draftTasks')?.template.text ?? '';
    put('draftTasks.md', `Be kind.\n\n${draft}`);
    assert.match((await shell.run('tasks', 'draft', folder)).err, /\+Be kind\./);
    assert.equal((await shell.run('tasks', 'draft', folder, '--allow-prompts', '--count', '2')).code, 0);
  });

  function aSkill(): {
    readonly shell: CommandLine;
    readonly folder: string;
    readonly put: (name: string, content: string | Uint8Array) => void;
  } {
    const shell = aCommandLine();
    shells.push(shell);
    const prompts = path.join(shell.folder, '.whetstone', 'prompts');
    mkdirSync(prompts, { recursive: true });
    const folder = aSkillFolder(shell.folder, {
      'evals/evals.json': { evals: [{ id: 'one', prompt: 'Greet Ada' }] },
      'evals/whetstone.json': aWhetstoneFile({ one: { checks: [{ check: 'contains', text: 'zeppelin' }] } }),
    });
    const put = (name: string, content: string | Uint8Array): void => {
      mkdirSync(path.dirname(path.join(prompts, name)), { recursive: true });
      writeFileSync(path.join(prompts, name), content);
    };
    return { shell, folder, put };
  }
});

function textOf(name: string): string {
  return allPrompts.find(({ template }) => template.name === name)?.template.text ?? '';
}

async function score(shell: CommandLine, folder: string, ...words: readonly string[]): Promise<number> {
  const done = await shell.run('evaluate', folder, '--json', ...words);
  assert.equal(done.code, 0, done.err);
  return JSON.parse(done.out).totals.all.hard;
}
