import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { baseProblems } from '../../../../src/app/options/baseProblems.js';
import { configProblems } from '../../../../src/app/options/configProblems.js';
import { aCommandLine, type CommandLine } from '../../../builders/commandLine.js';

const skillName = '.claude/skills/incident-summary';

describe('_base_ in .whetstone/config.yaml', () => {
  const shells: CommandLine[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  const optionsUnder = async (files: Files): Promise<{ readonly code: number; readonly said: string }> => {
    const shell = opened(shells, files);
    const { code, out, err } = await shell.run('optimize', path.join(shell.folder, skillName), '--dry-run', '--json');
    return { code, said: out + err };
  };

  const calls = async (files: Files): Promise<number> => {
    const { code, said } = await optionsUnder(files);
    assert.equal(code, 0, said);
    return JSON.parse(said).calls.high;
  };

  it('reads what it names below the file itself, for all skills and for one', async () => {
    const alone = await calls({ '.whetstone/config.yaml': 'train: { epochs: 2, attempts: 2 }\n' });
    const based = await calls({
      '.whetstone/config.yaml': '_base_: ../team/base.yaml\ntrain.attempts: 2\n',
      'team/base.yaml': '_base_: [deeper/first.yaml, deeper/second.yaml]\ntrain: { epochs: 2, attempts: 3 }\n',
      'team/deeper/first.yaml': 'train.epochs: 7\n',
      'team/deeper/second.yaml': `skills: { ${skillName}: { train: { epochs: 2 } } }\ntrain: { epochs: 5 }\n`,
    });
    assert.equal(based, alone);
    assert.notEqual(await calls({ '.whetstone/config.yaml': 'train: { epochs: 2, attempts: 3 }\n' }), alone);
  });

  it('lowers a minimum of the base to a budget of the file', async () => {
    await calls({
      '.whetstone/config.yaml': '_base_: b.yaml\nedits.budget: 2\n',
      '.whetstone/b.yaml': 'edits.minimum: 3\nedits.budget: 5\n',
    });
  });

  it('loosens no gate and allows no code, as the file itself does not', async () => {
    const { code, said } = await optionsUnder({
      '.whetstone/config.yaml': '_base_: base.yaml\n',
      '.whetstone/base.yaml': 'gate: { rule: off }\nedits: { code: true }\n',
    });
    assert.equal(code, 0, said);
    assert.match(said, /would loosen the gate \(gate\.rule: off\)/);
    assert.match(said, /edits\.code: true\), which only you can allow/);
  });

  const markedIn = (files: Files): ReturnType<typeof baseProblems> => {
    const { folder } = opened(shells, files);
    return baseProblems(path.join(folder, '.whetstone/config.yaml'), files['.whetstone/config.yaml'] ?? '');
  };

  const refused: readonly (readonly [name: string, files: Files, says: RegExp])[] = [
    ['leads out of the workspace', { '.whetstone/config.yaml': '_base_: ../../x.yaml\n' }, /outside the workspace/],
    ['is absolute', { '.whetstone/config.yaml': '_base_: /etc/hosts\n' }, /not relative/],
    ['is absolute elsewhere', { '.whetstone/config.yaml': "_base_: 'C:\\x.yaml'\n" }, /not relative/],
    ['is not there', { '.whetstone/config.yaml': '_base_: none.yaml\n' }, /no such file/],
    ['holds a zero character', { '.whetstone/config.yaml': '_base_: "a\\0b.yaml"\n' }, /a path with a zero character/],
    ['is no path', { '.whetstone/config.yaml': '_base_: { a: 1 }\n' }, /takes a path or a list of paths/],
    ['names itself', { '.whetstone/config.yaml': '_base_: config.yaml\n' }, /leads back to itself/],
    [
      'leads round in a circle',
      { '.whetstone/config.yaml': '_base_: a.yaml\n', '.whetstone/a.yaml': '_base_: config.yaml\n' },
      /a\.yaml: _base_ names “config\.yaml”, which leads back to itself/,
    ],
    [
      'holds an unknown option',
      { '.whetstone/config.yaml': '_base_: a.yaml\n', '.whetstone/a.yaml': 'train: { epoch: 1 }\n' },
      /train\.epoch”.*train\.epochs/,
    ],
    [
      'cannot be read',
      { '.whetstone/config.yaml': '_base_: a.yaml\n', '.whetstone/a.yaml': 'train: [\n' },
      /a\.yaml cannot be read/,
    ],
    ['leads to too many files', manyBases(), /more than 32 files/],
  ];
  for (const [name, files, says] of refused) {
    it(`is refused in clear words where it ${name}`, async () => {
      const { code, said } = await optionsUnder(files);
      assert.notEqual(code, 0);
      assert.match(said, says);
      const [problem, ...more] = await markedIn(files);
      assert.match(problem?.message ?? '', says);
      assert.deepEqual([problem?.start, problem?.end, problem?.stopsRuns, more], [0, '_base_'.length, true, []]);
    });
  }

  it('is not marked where it is right, or where it makes the file right', async () => {
    const base = { '.whetstone/b.yaml': 'choice.measures: [score, skill-tokens]\n' };
    const text = '_base_: b.yaml\nchoice.rule: shortest-not-worse\n';
    assert.deepEqual(await markedIn({ '.whetstone/config.yaml': text, ...base }), []);
    assert.deepEqual(configProblems(text, []), []);
  });

  it('is not read through a link that leads out of the workspace', async () => {
    const shell = opened(shells, { '.whetstone/config.yaml': '_base_: linked.yaml\n' });
    writeFileSync(path.join(path.dirname(shell.folder), 'outside.yaml'), 'train: { epochs: 2 }\n');
    symlinkSync(
      path.join(path.dirname(shell.folder), 'outside.yaml'),
      path.join(shell.folder, '.whetstone/linked.yaml'),
    );
    const done = await shell.run('optimize', path.join(shell.folder, skillName), '--dry-run');
    assert.notEqual(done.code, 0);
    assert.match(done.err, /outside the workspace/);
  });
});

type Files = Readonly<Record<string, string>>;

/** Files that each name the next two: a small number of files makes a large number of readings. */
function manyBases(): Files {
  const doubled = Array.from({ length: 8 }, (_, at) => [
    [`.whetstone/${at}.yaml`, at === 7 ? '' : `_base_: [${at + 1}.yaml, ${at + 1}.yaml]\n`] as const,
  ]).flat();
  return { '.whetstone/config.yaml': '_base_: 0.yaml\n', ...Object.fromEntries(doubled) };
}

function opened(shells: CommandLine[], files: Files): CommandLine {
  const shell = aCommandLine({ copy: path.resolve('media/demo') });
  shells.push(shell);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(shell.folder, name)), { recursive: true });
    writeFileSync(path.join(shell.folder, name), text);
  }
  return shell;
}
