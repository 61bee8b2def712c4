import assert from 'node:assert/strict';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { aSkillFolder } from '../../builders/aSkillFolder.js';
import { aCommandLine, type CommandLine } from '../../builders/commandLine.js';

const agent = '.agents/skills/price-change';
const evals = { evals: [{ id: 'one', prompt: 'Greet Ada.', expectations: ['The answer contains “Ada”.'] }] };

describe('“whetstone check” over several skills', () => {
  let line: CommandLine;
  before(async () => {
    line = aCommandLine({ findSkills: skillsBelow });
    cpSync(path.resolve('media/demo', agent), path.join(line.folder, agent), { recursive: true });
    aSkillFolder(line.folder, { 'evals/evals.json': evals });
    const made = await line.run('check', 'greeter', '--update');
    assert.equal(made.code, 0, made.err);
  });
  after(() => line.dispose());

  it('checks each of them, names the one that cannot be checked, and is refused at its end', async () => {
    const { code, out, err } = await line.run('check', '.');
    assert.equal(err.replaceAll(/^greeter.*\n?/gm, '').includes('whetstone:'), false, err);
    assert.match(out, /^✓ greeter: holds its record/m);
    assert.match(
      out,
      /^! \.agents\/skills\/price-change: could not be checked: price-change has no evals\/record\.json .*--update/m,
    );
    assert.equal(code, 2);
    const rows = JSON.parse((await line.run('check', '.', '--json')).out);
    assert.deepEqual(
      rows.map(({ kind, skillName }: Record<string, string>) => [kind, skillName]),
      [
        ['refused', agent],
        ['held', 'greeter'],
      ],
    );
  });

  it('names the skill whose tasks the target cannot attempt, and goes on with the others', async () => {
    const { code, out } = await line.run('check', '.', '--target', 'handoff', '--optimizer', 'simulated');
    assert.match(
      out,
      /^! \.agents\/skills\/price-change: could not be checked: 14 tasks are attempted by an agent program/m,
    );
    assert.notEqual(code, 0);
  });

  it('is refused as it was where it is of one skill, and where it is the fault of all', async () => {
    const one = await line.run('check', path.join(line.folder, agent));
    assert.equal(one.code, 2);
    assert.match(one.err, /^whetstone: price-change has no evals/m);
    assert.equal(one.out, '');
    const twin = path.join(line.folder, 'skills/twin');
    cpSync(path.join(line.folder, 'skills/greeter'), twin, { recursive: true });
    const all = await line.run('check', 'skills', '--model', 'nobody/none');
    assert.match(all.err, /^whetstone: .*nobody\/none/m);
    assert.equal(all.err.match(/whetstone:/g)?.length, 1);
    rmSync(twin, { recursive: true });
  });
});

function skillsBelow(place: string): Promise<readonly string[]> {
  if (path.basename(place) === 'SKILL.md') return Promise.resolve([place]);
  const found = readdirSync(place, { recursive: true, encoding: 'utf8' });
  return Promise.resolve(
    found
      .filter((file) => path.basename(file) === 'SKILL.md')
      .map((file) => path.join(place, file))
      .sort(),
  );
}
