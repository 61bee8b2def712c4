import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { anEnvironmentSkill, type EnvironmentShell } from '../builders/anEnvironmentSkill.js';
import { lettersModule, lettersProgram } from '../builders/broughtLetters.js';

const quick = ['--preset', 'quick', '--json', '--allow-programs', '--set', 'gate.rule=strict'];
const words = [
  ...quick,
  ...['gate.attribution=false', 'train.epochs=1', 'train.batchSize=8'].flatMap((each) => ['--set', each]),
];

describe('an environment that brings its tasks', function () {
  const shells: EnvironmentShell[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  const kinds = {
    'a program': {
      file: 'post.py',
      text: lettersProgram,
      how: { command: 'python3', arguments: ['post.py'], batch: true },
    },
    'a module': { file: 'post.mjs', text: lettersModule, how: { module: './post.mjs', batch: true } },
  };
  for (const [what, kind] of Object.entries(kinds)) {
    it(`is ${what}: without a task file the skill is trained to a verdict, and it is asked once for each side`, async () => {
      const { shell, log } = make(kind);
      rmSync(path.join(shell.skillFolder, 'evals/evals.json'));
      const done = await shell.run('optimize', shell.skillFolder, ...words);
      const result: Trained = JSON.parse(done.out);
      assert.deepEqual([result.verdict?.kind, result.before, result.after], ['accepted', 0, 1], done.err);
      assert.equal(readFileSync(log, 'utf8'), 'items train\nitems val\nitems test\n');
      const rows = resultsOf(shell, result.run);
      assert.equal(rows.get('train-0')?.['task_type'], 'even');
      assert.match(String(rows.get('train-0')?.['reference_text']), /drawer train 0/);
      assert.ok(![...rows].some(([id, row]) => !id.startsWith('train') && 'reference_text' in row));
    });
  }

  it('is counted before the run, and left alone where it was not allowed', async () => {
    const { shell, log } = make(kinds['a module']);
    const told = await shell.run(
      'optimize',
      shell.skillFolder,
      '--dry-run',
      '--preset',
      'quick',
      '--json',
      '--allow-programs',
    );
    const { tasks }: { tasks: Readonly<Record<string, number>> } = JSON.parse(told.out);
    assert.deepEqual([tasks['training'], tasks['heldOut'], tasks['sealed']], [8, 8, 4], told.err);
    const other = make(kinds['a module']);
    const refused = await other.shell.run('optimize', other.shell.skillFolder, '--preset', 'quick');
    assert.notEqual(refused.code, 0);
    assert.match(refused.err, /“post” brings its tasks, and gave none\. .*not allowed to run/s);
    assert.ok(readFileSync(log, 'utf8') !== '' && !exists(other.log));
  });

  function make(
    { file, text, how }: { readonly file: string; readonly text: string; readonly how: object },
    files: Readonly<Record<string, string>> = {},
  ): { readonly shell: EnvironmentShell; readonly log: string } {
    const options: { log?: string } = {};
    const declared = { ...how, folder: 'evals/post', timeLimitSeconds: 20, brings: ['items'], options };
    const shell = anEnvironmentSkill({ declared, files: { [`evals/post/${file}`]: text, ...files }, tasks: 0 });
    shells.push(shell);
    const log = path.join(shell.home, '..', 'asked.log');
    const whetstone = path.join(shell.skillFolder, 'evals/whetstone.json');
    writeFileSync(
      whetstone,
      readFileSync(whetstone, 'utf8').replace('"options":{}', JSON.stringify({ options: { log } }).slice(1, -1)),
    );
    return { shell, log };
  }
});

interface Trained {
  readonly run: string;
  readonly verdict?: { readonly kind: string };
  readonly before?: number;
  readonly after?: number;
}

function exists(file: string): boolean {
  return readdirSync(path.dirname(file)).includes(path.basename(file));
}

/** Every row of results.json of a run, by the id of its task. */
function resultsOf(shell: EnvironmentShell, run: string): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const files = readdirSync(shell.folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.includes(run) && file.endsWith('results.json'),
  );
  const rows = files.flatMap((file) => {
    const read: readonly Readonly<Record<string, unknown>>[] = JSON.parse(
      readFileSync(path.join(shell.folder, file), 'utf8'),
    );
    return read;
  });
  return new Map(rows.map((row) => [String(row['id']), row]));
}
