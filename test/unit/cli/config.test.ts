import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aSkillFolder } from '../../builders/aSkillFolder.js';
import { aCommandLine, type CommandLine, type CommandResult } from '../../builders/commandLine.js';

describe('.whetstone/config.yaml', () => {
  const shells: CommandLine[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  const nested = 20_000;
  const refused: readonly (readonly [name: string, text: string, says: RegExp])[] = [
    ['open brackets without end', '['.repeat(nested), /nested too deeply/],
    ['open braces without end', '{a: '.repeat(nested), /nested too deeply/],
    ['brackets that a remark closes', '[ # ]\n'.repeat(nested), /nested too deeply/],
    ['brackets that a text closes', `${'[ "]", '.repeat(nested)}\n`, /nested too deeply/],
    ['brackets below a field', `train: ${'['.repeat(nested)}${']'.repeat(nested)}\n`, /nested too deeply/],
    ['lists in lists', `${'- '.repeat(nested)}x\n`, /nested too deeply/],
    ['keys in keys', `${'? '.repeat(nested)}x\n`, /nested too deeply/],
    ['ever deeper fields', Array.from({ length: 2000 }, (_, at) => `${' '.repeat(at)}a:\n`).join(''), /too deeply/],
    ['a megabyte of fields', 'a: b\n'.repeat(200_000), /too long/],
    ['a list instead of fields', '- a\n', /not a list of options/],
    ['two values on a line', 'train: a: b\n', /cannot be read: Nested mappings .* at line 1, column 8\./],
    ['an alias of nothing', 'train: *none\n', /cannot be read: /],
    ['an unknown option', 'trian:\n  epochs: 2\n', /trian.*train/s],
    ['a value of the wrong kind', 'train:\n  epochs: many\n', /train\.epochs/],
  ];
  for (const [name, text, says] of refused) {
    it(`is refused in clear words with ${name}, and nothing is spent`, async () => {
      const done = await evaluatedUnder(text);
      assert.notEqual(done.code, 0);
      assert.match(done.err, says);
      assert.doesNotMatch(done.err, /^\s+at /m);
      assert.equal(done.out, '');
    });
  }

  const accepted: readonly (readonly [name: string, text: string])[] = [
    ['remarks alone', '# nothing yet\n'],
    ['nothing', ''],
    ['a byte order mark', '\uFEFFtrain:\n  epochs: 2\n'],
    ['options by the names that the documentation has', 'train.epochs: 2\ntrain.batchSize: 4\nedits: { budget: 2 }\n'],
    ['options in one line', 'train: { epochs: 2, batchSize: 4 }\n'],
    [
      'options for many skills',
      `skills:\n${Array.from({ length: 300 }, (_, at) => `  skills/s${at}: { train: { epochs: 2 } }\n`).join('')}`,
    ],
  ];
  for (const [name, text] of accepted) {
    it(`may hold ${name}`, async () => assert.equal((await evaluatedUnder(text)).code, 0));
  }

  async function evaluatedUnder(text: string): Promise<CommandResult> {
    const shell = aCommandLine();
    shells.push(shell);
    const evals = [{ id: 'one', prompt: 'Greet Ada', expectations: ['It greets.'] }];
    const folder = aSkillFolder(shell.folder, { 'evals/evals.json': { evals } });
    mkdirSync(path.join(shell.folder, '.whetstone'), { recursive: true });
    writeFileSync(path.join(shell.folder, '.whetstone/config.yaml'), text);
    return shell.run('evaluate', folder);
  }
});
