import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, type CommandLine, type CommandResult } from '../../builders/commandLine.js';

const said = /^With 4 held-out tasks no improvement can be shown; at least 5 are needed\.$/m;

describe('a run that can show nothing', () => {
  const opened: CommandLine[] = [];
  after(() => opened.forEach((each) => each.dispose()));

  it('says so before anything is asked, also where nobody is asked', async () => {
    const line = few();
    const { err } = await train(line);
    assert.match(err, said);
    assert.ok(err.search(said) < err.indexOf('held-out tasks under the skill as it is'), err);
  });

  it('is not told of where nothing is to be shown', async () => {
    const { err } = await train(few(), '--set', 'gate.rule=off');
    assert.doesNotMatch(err, /no improvement can be shown/);
  });

  function few(): CommandLine {
    const line = aCommandLine();
    opened.push(line);
    const folder = path.join(line.folder, 'short', 'evals');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(line.folder, 'short', 'SKILL.md'),
      '---\nname: short\ndescription: Short lines.\n---\n\nBe brief.\n',
    );
    const evals = Array.from({ length: 8 }, (_, at) => ({ id: `t${at}`, prompt: `${subjects[at]} Say it in a line.` }));
    const tasks = Object.fromEntries(
      evals.map(({ id }, at) => [
        id,
        { split: at < 4 ? 'training' : 'heldOut', checks: [{ check: 'contains', text: 'Audience:' }] },
      ]),
    );
    writeFileSync(path.join(folder, 'evals.json'), JSON.stringify({ skill_name: 'short', evals }));
    writeFileSync(
      path.join(folder, 'whetstone.json'),
      JSON.stringify({ format: 'whetstone.tasks', version: 1, tasks }),
    );
    return line;
  }
});

const subjects = [
  'The login page turns for ever.',
  'A cart loses its last item.',
  'Mails arrive a day late.',
  'Search finds nothing in Greek.',
  'Prices show a wrong comma.',
  'The map opens upside down.',
  'Exports miss their header row.',
  'Sounds play twice on phones.',
];

function train(line: CommandLine, ...words: readonly string[]): Promise<CommandResult> {
  return line.run('optimize', path.join(line.folder, 'short'), '--yes', '--set', 'train.epochs=1', ...words);
}
