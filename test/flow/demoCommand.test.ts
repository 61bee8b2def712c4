import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';

/** `npm start` is this command; what it says to type next must work when it is typed. */
describe('the demo on the command line', () => {
  let line: CommandLine;
  before(() => (line = aCommandLine()));
  after(() => line.dispose());

  it('trains a skill to a verdict, and each command that it names next works from where it was called', async () => {
    const to = path.join(line.home, 'demo');
    const skill = path.join(to, '.claude/skills/incident-summary/SKILL.md');
    const { code, out, err } = await line.run('demo', '--to', to);
    assert.equal(code, 0, err);
    const original = readFileSync(path.resolve('media/demo/.claude/skills/incident-summary/SKILL.md'), 'utf8');
    assert.equal(readFileSync(skill, 'utf8'), original, 'a run edits nothing');
    for (const said of [
      /held-out task +before +after/,
      /^E1 .*points/m,
      /\d+ attempts? failed: the answer/,
      /^\+- /m,
      /model calls/,
    ])
      assert.match(out, said);

    const commands = [...out.matchAll(/whetstone ((?:adopt|undo) \S+(?: --edits E1)?)(?=[ ,])/g)].map(
      ([, words]) => words,
    );
    assert.equal(commands.length, 3, out);
    const [adopt = '', , undo = ''] = commands;
    assert.equal((await line.run(...adopt.split(' '))).code, 0);
    assert.match(readFileSync(skill, 'utf8'), /at most 700 characters/);
    assert.equal((await line.run(...undo.split(' '))).code, 0);
    assert.equal(readFileSync(skill, 'utf8'), original);
  });

  it('prints one JSON object for programs', async () => {
    const { code, out } = await line.run('demo', '--to', path.join(line.home, 'json'), '--json');
    assert.equal(code, 0);
    const result: Record<string, unknown> = JSON.parse(out);
    assert.deepEqual(
      ['skill', 'verdict', 'before', 'after', 'edits', 'calls', 'tokens'].filter((key) => !(key in result)),
      [],
    );
    assert.equal(Object(result['verdict']).kind, 'accepted');
    for (const edit of Array.isArray(result['edits']) ? result['edits'] : [])
      assert.deepEqual(
        ['op', 'rationale'].filter((key) => typeof edit[key] !== 'string'),
        [],
      );
  });
});
