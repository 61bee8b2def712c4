import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, type CommandLine } from '../../builders/commandLine.js';

describe('a skill that is named and not pointed at', () => {
  let line: CommandLine;
  let places: string[] = [];
  beforeEach(() => {
    line = aCommandLine({ findSkills: async (folder) => places.map((place) => path.join(folder, place, 'SKILL.md')) });
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

  it('is asked for by its path where two bear the name', async () => {
    write('other/notes');
    const { code, err } = await line.run('status', 'notes');
    assert.equal(code, 2);
    assert.match(err, /2 skills are called “notes”\. Name one by its path: .*notes, .*notes\./);
  });

  it('is what a file or folder of that name is, before anything else', async () => {
    mkdirSync(path.join(line.folder, 'notes'));
    const { code, err } = await line.run('status', 'notes');
    assert.equal(code, 1);
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
