import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createUseCases, withOwnChecks, worldOfMachine } from '../../src/bundles/core.js';
import { createLibrary } from '../../src/library/createLibrary.js';
import { anEnvironmentSkill, type EnvironmentShell } from '../builders/anEnvironmentSkill.js';
import { lettersModule } from '../builders/broughtLetters.js';
import { inFull } from '../builders/few.js';

const library = createLibrary({ createUseCases, withOwnChecks, worldOfMachine });
const text = '# Letters\n\nWrite a letter.\n';
const module = lettersModule.replace(
  'export default {',
  `export default { initialSkill: () => ${JSON.stringify(text)},`,
);

describe('a skill that an environment brings', () => {
  const shells: EnvironmentShell[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  it('is shown and written by “whetstone new” once the person said yes, and never over another', async () => {
    const { shell, file } = make();
    const from = ['new', shell.skillFolder, '--from-environment'];
    const without = await shell.run('optimize', shell.skillFolder);
    assert.match(without.err, /There is no SKILL\.md in .*letters, and the environment “post” brings one\./);
    assert.ok(without.err.includes(`“whetstone new ${shell.skillFolder} --from-environment”`), without.err);
    const refused = await shell.run(...from, '--yes');
    assert.match(refused.err, /gave no skill\. .*was not allowed to run/);
    const unasked = await shell.run(...from, 'post', '--allow-programs');
    assert.match(unasked.out, /Write a letter\./);
    assert.match(unasked.err, /Nothing was written/);
    assert.ok(!existsSync(file));
    assert.match(
      (await shell.run(...from, 'pots', '--yes')).err,
      /No environment “pots” in .* brings a skill\..*post/s,
    );
    const written = await shell.run(...from, '--yes');
    assert.equal(written.code, 0, written.err);
    assert.equal(readFileSync(file, 'utf8'), `---\nname: letters\ndescription: "Letters"\n---\n\n${text}`);
    const again = await shell.run(...from, '--yes');
    assert.match(again.err, /There is already something at/);
  });

  inFull(
    'is what “train” of the library starts from where that is allowed, with the tasks that it brings',
    async () => {
      const { shell, file } = make();
      const settings = { 'gate.rule': 'strict', 'gate.attribution': false, 'train.epochs': 1, 'train.batchSize': 8 };
      const place = { skill: shell.skillFolder, root: shell.folder, home: shell.home };
      const options = { ...place, model: 'simulated', preset: 'quick', settings } as const;
      await assert.rejects(
        library.train({ ...options, allow: { programs: true } }),
        /and the environment “post” brings one/,
      );
      assert.ok(!existsSync(file));
      const notes: string[] = [];
      const allow = { programs: true, newSkill: true };
      const trained = await library.train({ ...options, allow, onNote: (note) => notes.push(note) });
      assert.equal(trained.verdict?.kind, 'accepted', trained.nothing?.reason);
      assert.ok(notes.some((note) => note.includes('brought the text that training starts from')));
      assert.match(readFileSync(file, 'utf8'), /Write a letter\.\n$/);

      const words = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${String(value)}`]);
      const asked = make({ withSkill: readFileSync(file, 'utf8') });
      const done = await asked.shell.run(
        'optimize',
        asked.shell.skillFolder,
        '--preset',
        'quick',
        '--json',
        '--allow-programs',
        ...words,
      );
      const result: { edits: readonly { content?: string }[]; after: number; calls: number } = JSON.parse(done.out);
      assert.deepEqual(
        [result.edits.map(({ content }) => content), result.after, result.calls],
        [trained.edits.map(({ content }) => content), trained.verdict.after, trained.spend.calls],
        'the same seed gives the same in both faces',
      );
    },
  );

  it('is begun to be filled in where no environment is named', async () => {
    const { shell } = make();
    const folder = path.join(shell.folder, 'release-notes');
    assert.match((await shell.run('new', folder)).err, /Say what the skill does.*--description "…"/su);
    const made = await shell.run('new', folder, '--description', 'Writes release notes.');
    assert.equal(made.code, 0, made.err);
    assert.match(readFileSync(path.join(folder, 'SKILL.md'), 'utf8'), /^name: release-notes$/m);
  });

  function make({ withSkill }: { readonly withSkill?: string } = {}): {
    readonly shell: EnvironmentShell;
    readonly file: string;
  } {
    const declared = { module: './post.mjs', timeLimitSeconds: 20, batch: true, brings: ['skill', 'items'] };
    const skill = withSkill === undefined ? {} : { 'SKILL.md': withSkill };
    const shell = anEnvironmentSkill({ declared, files: { 'evals/post.mjs': module, ...skill }, tasks: 0 });
    shells.push(shell);
    const file = path.join(shell.skillFolder, 'SKILL.md');
    rmSync(path.join(shell.skillFolder, 'evals/evals.json'));
    if (withSkill === undefined) rmSync(file);
    return { shell, file };
  }
});
