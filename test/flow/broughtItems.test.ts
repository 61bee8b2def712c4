import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { anEnvironmentSkill, type EnvironmentShell } from '../builders/anEnvironmentSkill.js';
import { lettersModule, lettersProgram } from '../builders/broughtLetters.js';
import { few } from '../builders/few.js';
import { inFull } from '../builders/few.js';

const quick = ['--preset', 'quick', '--json', '--allow-programs', '--set', 'gate.rule=strict'];
const words = [
  ...quick,
  ...['gate.attribution=false', 'train.epochs=1', 'train.batchSize=8'].flatMap((each) => ['--set', each]),
];

const nightly = words.filter((word) => word !== '--allow-programs');

describe('an environment that brings its tasks', function () {
  const shells: EnvironmentShell[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  const kinds = {
    'a module': {
      file: 'post.mjs',
      text: lettersModule,
      how: { module: './post.mjs', batch: true, brings: ['items', 'types'] },
    },
    'a program': {
      file: 'post.py',
      text: lettersProgram,
      how: { command: 'python3', arguments: ['post.py'], batch: true, brings: ['items'] },
    },
  };
  for (const [what, kind] of few(Object.entries(kinds))) {
    it(`is ${what}: without a task file the skill is trained to a verdict, and it is asked once for each side`, async () => {
      const { shell, log } = make(kind);
      rmSync(path.join(shell.skillFolder, 'evals/evals.json'));
      const done = await shell.run('optimize', shell.skillFolder, ...words);
      const result: Trained = JSON.parse(done.out);
      assert.deepEqual([result.verdict?.kind, result.before, result.after], ['accepted', 0, 1], done.err);
      assert.equal(readFileSync(log, 'utf8'), 'items train\nitems val\nitems test\n');
      const rows = resultsOf(shell, result.run);
      assert.equal(rows.get('train-0')?.['task_type'], kind.how.brings.includes('types') ? 'letter' : 'even');
      assert.match(String(rows.get('train-0')?.['reference_text']), /drawer train 0/);
      assert.ok(![...rows].some(([id, row]) => !id.startsWith('train') && 'reference_text' in row));
    });
  }

  it('is counted before the run, listed without a start, and left alone where it was not allowed', async () => {
    const { shell, log } = make(kinds['a module']);
    const list = await shell.run('tasks', 'list', shell.skillFolder);
    assert.match(list.out, /^“post” brings tasks of its own at the start of a run\.\n$/);
    const night = await shell.run('night', shell.skillFolder, ...nightly);
    assert.match(night.out, /“post” brings the tasks of letters, and no run of the last weeks has asked it/);
    const refused = await shell.run('optimize', shell.skillFolder, '--preset', 'quick');
    assert.notEqual(refused.code, 0);
    assert.match(refused.err, /“post” brings its tasks, and gave none\. .*not allowed to run/s);
    assert.equal(asked(log), '', 'nothing was started');
    const told = await shell.run('optimize', shell.skillFolder, '--dry-run', ...words);
    const { tasks }: { tasks: Readonly<Record<string, number>> } = JSON.parse(told.out);
    assert.deepEqual([tasks['training'], tasks['heldOut'], tasks['sealed']], [8, 8, 4], told.err);
  });

  inFull('goes on after it was cut off with the tasks that it began with, whatever would be brought now', async () => {
    const { shell, log } = make(kinds['a module']);
    const first: Trained = JSON.parse((await shell.run('optimize', shell.skillFolder, ...words)).out);
    cutOff(shell, first.run);
    const module = path.join(shell.skillFolder, 'evals/post/post.mjs');
    writeFileSync(module, lettersModule.replace('Write to a customer', 'Tell a customer'));
    const again = await shell.run('optimize', shell.skillFolder, '--resume', '--json', '--allow-programs');
    const resumed: Trained = JSON.parse(again.out);
    assert.deepEqual([resumed.run, resumed.verdict?.kind], [first.run, 'accepted'], again.err);
    assert.equal(asked(log), 'items train\nitems val\nitems test\n', 'asked by the first start alone');

    appendFileSync(path.join(shell.skillFolder, 'SKILL.md'), '\nMy own line.\n');
    const rebased = await shell.run('rebase', shell.skillFolder, ...words);
    const measured: Trained = JSON.parse(rebased.out);
    assert.equal(measured.verdict?.kind, 'accepted', rebased.err);
    assert.equal(asked(log).split('\n').length, 4, 'measured on the tasks of the run');

    writeFileSync(module, lettersModule.replace('Write to a customer', 'Answer a customer'));
    const night = await shell.run('night', shell.skillFolder, ...nightly);
    assert.match(night.out, /“post” brings its tasks, and gave none\. The program .* was not allowed to run/);
  });

  function make(
    { file, text, how }: { readonly file: string; readonly text: string; readonly how: object },
    files: Readonly<Record<string, string>> = {},
  ): { readonly shell: EnvironmentShell; readonly log: string } {
    const options: { log?: string } = {};
    const declared = { ...how, folder: 'evals/post', timeLimitSeconds: 20, options };
    const shell = anEnvironmentSkill({
      declared,
      files: { [`evals/post/${file}`]: text, ...files },
      tasks: 0,
      programs: 'bare',
    });
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

function asked(log: string): string {
  return existsSync(log) ? readFileSync(log, 'utf8') : '';
}

/** As a kill before the end leaves it: a journal without its last line, no summary, no proposal. */
function cutOff({ folder }: EnvironmentShell, run: string): void {
  const journal = path.join(folder, '.whetstone/runs', run, 'journal.jsonl');
  writeFileSync(journal, readFileSync(journal, 'utf8').replace(/[^\n]*\n$/u, ''));
  rmSync(path.join(folder, '.whetstone/runs', run, 'summary.json'));
  rmSync(path.join(folder, '.whetstone/proposals'), { recursive: true });
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
