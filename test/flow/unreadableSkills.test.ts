import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';

describe('skills that cannot be read', () => {
  let line: CommandLine;
  const skills: string[] = [];
  const findSkills = (): Promise<readonly string[]> => Promise.resolve(skills);

  before(() => {
    line = aCommandLine({ copy: path.resolve('media/demo'), findSkills });
    skills.push(path.join(line.folder, '.claude/skills/incident-summary/SKILL.md'));
    skills.push(made('empty-skill', ''), made('wide-skill', Buffer.from('\ufeff# Wide', 'utf16le')));
  });
  after(() => line.dispose());

  it('are named with their reasons by status, which shows the others all the same', async () => {
    const { code, out, err } = await line.run('status');
    assert.equal(code, 1);
    assert.match(out, /^incident-summary/m);
    assert.match(
      err,
      /empty-skill\/SKILL\.md is empty\. Write .*\n.*wide-skill\/SKILL\.md is encoded as UTF-16\. Save/u,
    );
    const json = await line.run('status', '--json');
    assert.deepEqual([json.code, JSON.parse(json.out).length], [1, 1]);
  });

  it('fail as they did where nothing else was asked for', async () => {
    const [, empty = ''] = skills;
    const { code, out, err } = await line.run('status', empty);
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /empty-skill\/SKILL\.md is empty/);
    assert.equal((await line.run('status', path.join(line.folder, 'nothing/SKILL.md'))).code, 2);
  });

  it('are among those that a night leaves out', async () => {
    const { out, err } = await line.run('night', '--dry-run', '--force');
    assert.match(out, /Left out:\n.*empty-skill: .*is empty\.\n.*wide-skill: .*is encoded as UTF-16\./u, err);
    assert.deepEqual(
      JSON.parse((await line.run('night', '--dry-run', '--json')).out).broken.map(
        (each: { name: string }) => each.name,
      ),
      ['empty-skill', 'wide-skill'],
    );
  });

  function made(name: string, content: string | Buffer): string {
    const folder = path.join(line.folder, '.claude/skills', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'SKILL.md'), content);
    return path.join(folder, 'SKILL.md');
  }
});
