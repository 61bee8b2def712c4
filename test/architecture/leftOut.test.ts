import { buildSync } from 'esbuild';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from './sourceFiles.js';

const suites = `
import { leaveOut, mustBeSetUp } from './test/builders/leaveOut.ts';
describe('a suite', () => {
  before(function () { leaveOut(this, 'it rains'); });
  it('is dry', () => {});
});
describe('another', () => {
  it('is left out alone', function () { leaveOut(this, 'it snows'); });
  it('runs', () => {});
  it('needs Redis', function () { mustBeSetUp(this, 'install Redis'); });
});`;

describe('tests that cannot run', () => {
  const folder = ((): string => {
    mkdirSync(join(repository, 'out'), { recursive: true });
    return mkdtempSync(join(repository, 'out/left-out-'));
  })();
  const bundle = join(folder, 'tests.cjs');
  const result = join(folder, 'result.json');
  before(() => {
    const stdin = { contents: suites, resolveDir: repository, loader: 'ts' } as const;
    buildSync({ stdin, outfile: bundle, bundle: true, platform: 'node', format: 'cjs' });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('say why, with the suite or the test, where they are and once more at the end', () => {
    const { status, output } = run('');
    assert.equal(status, 0, output);
    assert.match(output, /Left out: it rains/);
    assert.match(output, /left out here:\n {2}a suite: it rains\n {2}another is left out alone: it snows\n/);
    assert.match(output, /another needs Redis: install Redis\n\n1 passed, 0 failed, 3 skipped/);
  });

  it('fail under CI where somebody can set up what they need', () => {
    const { status, output } = run('true');
    assert.equal(status, 1, output);
    assert.match(output, /1 passed, 1 failed, 2 skipped/);
    assert.match(output, /Error: install Redis/);
  });

  it('are told with their reasons when all steps are over', () => {
    run('');
    const counts = readFileSync(result, 'utf8');
    const address = pathToFileURL(join(repository, 'scripts/test/outcome.mjs')).href;
    const script = `import { printOutcome } from '${address}'; printOutcome([{ step: 'unit', name: 'unit', seconds: 1, ...${counts} }], 1);`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    assert.match(stdout, /left out here:\n {2}a suite: it rains\n/);
    assert.match(stdout, /1 passed, 0 failed, 3 skipped\n$/);
  });

  it('are left out in no other way', () => {
    const own = ['builders/leaveOut.ts', 'architecture/leftOut.test.ts'];
    const silent = readdirSync(join(repository, 'test'), { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.ts') && !own.includes(file))
      .filter((file) =>
        /\b(?:this|context|it|describe)\.skip\b/.test(readFileSync(join(repository, 'test', file), 'utf8')),
      );
    assert.deepEqual(silent, []);
  });

  function run(ci: string): { readonly status: number | null; readonly output: string } {
    const mocha = join(repository, 'node_modules/mocha/bin/mocha.js');
    const words = [mocha, bundle, '--no-config', '--reporter', join(repository, 'scripts/countingReporter.cjs')];
    const env = { ...process.env, CI: ci, WHETSTONE_RESULT: result };
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', cwd: folder, env });
    return { status, output: `${stdout}${stderr}` };
  }
});
