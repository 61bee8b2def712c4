import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { programParts } from '../../src/app/osSchedule/nightProgram.js';
import { repository } from './sourceFiles.js';
import { mustBeSetUp } from '../builders/leaveOut.js';

const kilobyte = 1024;
const mostForActivation = 80 * kilobyte;
const mostJavaScript = 3.3 * kilobyte * kilobyte; // past sessions and what may be said of them, in six languages, and the tables of secrets took a tenth of it
/** The helper process of the sandbox, which nothing loads: it is a program of its own. */
const sandbox = 'sandbox.js';
const mostForSandbox = 750 * kilobyte;

/** `npm test` makes the production build before this floor; a run of single test files need not. */
describe('the bundles', () => {
  const dist = join(repository, 'dist');

  before(function () {
    if (existsSync(join(dist, 'extension.js')) && !existsSync(join(dist, 'extension.js.map'))) return;
    mustBeSetUp(this, 'dist/ holds no production build: run `node esbuild.mjs --production`');
  });

  it('keep what activation loads under 80 KB and all JavaScript under 3.3 MB', () => {
    const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
    const sizes = Object.fromEntries(scripts.map((file) => [file, statSync(join(dist, file)).size]));
    assert.ok(
      (sizes['extension.js'] ?? Infinity) < mostForActivation,
      `extension.js has ${sizes['extension.js']} bytes`,
    );
    const { [sandbox]: helper = Infinity, ...others } = sizes;
    assert.ok(helper < mostForSandbox, `${sandbox} has ${helper} bytes`);
    const total = Object.values(others).reduce((sum, size) => sum + size, 0);
    assert.ok(total < mostJavaScript, `dist holds ${total} bytes of JavaScript: ${JSON.stringify(sizes)}`);
  });

  it('hold the library of the sandbox in its helper process alone', () => {
    const holding = readdirSync(dist)
      .filter((file) => file.endsWith('.js'))
      .filter((file) => textOf(file).includes('apply-seccomp binary not available'));
    assert.deepEqual(holding, [sandbox]);
  });

  it('hold nothing of the queue, which is in the npm package alone', () => {
    const holding = readdirSync(dist).filter(
      (file) => file.endsWith('.js') && /bullmq|maxStalledCount/u.test(textOf(file)),
    );
    assert.deepEqual(holding, []);
    assert.equal(existsSync(join(dist, 'queue.js')), false);
  });

  it('have two native files beside them and no other: they close Unix sockets in the sandbox', () => {
    const others = readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((file) => statSync(join(dist, file)).isFile())
      .filter((file) => !/\.(?:js|txt|json)$/u.test(file));
    assert.deepEqual(others.sort(), ['vendor/seccomp/arm64/apply-seccomp', 'vendor/seccomp/x64/apply-seccomp']);
    const shipped = readFileSync(join(repository, '.vscodeignore'), 'utf8').split('\n');
    assert.deepEqual(
      shipped.filter((line) => line.startsWith('!dist/') && !/\.(?:js|txt)$/u.test(line)),
      ['!dist/vendor/seccomp/*/apply-seccomp'],
    );
  });

  it('hold the translations once, so that one language reaches every sentence', () => {
    const holding = readdirSync(dist)
      .filter((file) => file.endsWith('.js'))
      .filter((file) => textOf(file).includes('as the first argument to l10n.t'));
    assert.deepEqual(holding, ['translate.js']);
  });

  it('take each library in once, not once a file: each time all names of zod are copied at the start', () => {
    for (const bundle of ['cli.js', 'commands.js', 'core.js', 'nightly.js']) {
      const taken = [...textOf(bundle).matchAll(/require\("\.\/(?:croner|yaml|zod)\.js"\)/g)].map(([call]) => call);
      assert.deepEqual(taken, [...new Set(taken)], bundle);
    }
    assert.match(textOf('core.js'), /require\("\.\/zod\.js"\)/);
  });

  it('are all copied of which the command line is made, for nights that the operating system starts', () => {
    const loaded = new Set<string>();
    const waiting = ['cli.js'];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      loaded.add(file);
      const needed = [...textOf(file).matchAll(/require\("\.\/([\w.]+)"\)/g)].map((match) => match[1] ?? '');
      waiting.push(...needed.filter((name) => !loaded.has(name)));
    }
    assert.ok(loaded.size > 2);
    assert.deepEqual([...programParts].sort(), [...loaded].sort());
  });

  function textOf(file: string): string {
    return readFileSync(join(dist, file), 'utf8');
  }
});
