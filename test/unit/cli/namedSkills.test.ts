import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, type CommandLine } from '../../builders/commandLine.js';

describe('a skill that is named and not pointed at', () => {
  let line: CommandLine;
  let places: string[] = [];
  beforeEach(() => {
    const below = (folder: string) => places.map((place) => path.join(folder, place, 'SKILL.md'));
    const findSkills = async (place: string) => (path.basename(place) === 'SKILL.md' ? [place] : below(place));
    line = aCommandLine({ findSkills });
    places = [];
    for (const place of ['.claude/skills/dates', 'team/notes']) write(place);
  });
  afterEach(() => line.dispose());

  it('is every one that is here, where none is named', async () => {
    const { code, out, err } = await line.run('status');
    assert.equal(code, 0, err);
    assert.match(out, /^dates$[^]*^notes$/m);
  });

  it('is found by its name', async () => {
    const { code, out, err } = await line.run('status', 'notes');
    assert.equal(code, 0, err);
    assert.match(out, /^notes$/m);
    assert.doesNotMatch(out, /dates/);
    assert.match((await line.run('show', 'dates')).err, /No proposal waits for this skill/);
  });

  it('is found by its name by commands that take folders or name it in an option, too', async () => {
    const { code, out, err } = await line.run('scripts', '--skill', 'notes');
    assert.equal(code, 0, err);
    assert.match(out, /It has no script that an edit could change\./);
    assert.match((await line.run('check', 'notes')).err, /notes has no tasks yet/);
    const { err: none } = await line.run('optimize', 'notes');
    assert.match(
      none,
      /“whetstone tasks draft \S*team\/notes\/SKILL\.md”, .* “whetstone mine \S*team\/notes\/SKILL\.md”/s,
    );
    assert.match((await line.run('night', 'notes')).out, /notes.*tasks/);
    for (const command of ['check', 'night']) {
      const missing = await line.run(command, 'nots');
      assert.equal(missing.code, 2);
      assert.match(missing.err, /There is no file, folder or skill “nots” here\. Give the name or the path of a skill/);
    }
  });

  it('is named by those that are here where there is none of that name', async () => {
    for (const words of [
      ['optimize', 'nots'],
      ['show', 'nots'],
      ['scripts', '--skill', 'nots'],
    ]) {
      const { code, err } = await line.run(...words);
      assert.equal(code, 2);
      assert.match(err, /There is no skill “nots” here\. There are dates, notes; or give the path of a SKILL\.md\./);
    }
  });

  it('is asked for by its path where two bear the name', async () => {
    write('other/notes');
    const { code, err } = await line.run('status', 'notes');
    assert.equal(code, 2);
    assert.match(err, /2 skills are called “notes”\. Name one by its path: .*notes, .*notes\./);
  });

  it('is what a file or folder of that name is, before anything else', async () => {
    mkdirSync(path.join(line.folder, 'notes'));
    const { code, err } = await line.run('status', 'notes');
    assert.equal(code, 2);
    assert.match(err, /There is no (?:SKILL\.md in|skill file at) /);
  });

  function write(place: string): void {
    places.push(place);
    const folder = path.join(line.folder, place);
    mkdirSync(folder, { recursive: true });
    const name = path.basename(place);
    writeFileSync(path.join(folder, 'SKILL.md'), `---\nname: ${name}\ndescription: Says ${name}.\n---\n\n# ${name}\n`);
  }
});
