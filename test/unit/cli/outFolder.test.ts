import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, type CommandLine } from '../../builders/commandLine.js';

const skill = '.claude/skills/incident-summary';
const quick = [
  '--preset',
  'quick',
  '--rule',
  'strict',
  '--set',
  'gate.attribution=false',
  '--set',
  'gate.sealed=false',
];

describe('optimize --out', () => {
  const shells: CommandLine[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));
  const opened = (): CommandLine => {
    const shell = aCommandLine({ copy: path.resolve('media/demo') });
    shells.push(shell);
    return shell;
  };

  it('leaves the artifacts in a folder that is named from where one stands, and makes it', async () => {
    const shell = opened();
    const { code, err } = await shell.run(
      'optimize',
      path.join(shell.folder, skill),
      '--out',
      'outputs/first',
      ...quick,
    );
    assert.equal(code, 0, err);
    const left = readdirSync(path.join(shell.folder, 'outputs/first'));
    for (const name of ['config.json', 'summary.json', 'best_skill.md', 'history.json', 'steps'])
      assert.ok(left.includes(name), left.join(', '));
  });

  const refused: readonly (readonly [what: string, folder: string | undefined, says: RegExp, code: number])[] = [
    ['a folder that holds something', 'full', /full is not empty, and a run mixes its files with no others/, 2],
    ['a file', 'file.txt', /file\.txt is not a folder/, 2],
    ['what lies below a file', 'file.txt/below', /below cannot be made/, 2],
    ['the state of the workspace', '.whetstone/mine', /where runs are kept already/, 2],
    ['the folder of the skill', `${skill}/outputs`, /outputs lies in the folder of the skill/, 2],
    ['a place of the system', '/proc/nothing/below', /below cannot be made/, 2],
    ['a place of devices', '/dev/nothing/below', /below cannot be made/, 2],
    ['nothing', undefined, /option '--out <folder>' argument missing/, 2],
  ];
  for (const [what, folder, says, code] of refused) {
    it(`refuses ${what} before anything is begun`, async () => {
      const shell = opened();
      mkdirSync(path.join(shell.folder, 'full'));
      writeFileSync(path.join(shell.folder, 'full/notes.txt'), 'mine');
      writeFileSync(path.join(shell.folder, 'file.txt'), 'mine');
      const named = folder === undefined ? [] : [folder];
      const done = await shell.run('optimize', path.join(shell.folder, skill), ...quick, '--out', ...named);
      assert.match(done.err, says);
      assert.equal(done.code, code);
      assert.ok(!existsSync(path.join(shell.folder, '.whetstone/runs')), 'no run was begun');
      assert.deepEqual(readdirSync(path.join(shell.folder, 'full')), ['notes.txt']);
      assert.ok(!existsSync(path.join(shell.folder, skill, 'outputs')), 'nothing is made in the skill');
    });
  }
});
