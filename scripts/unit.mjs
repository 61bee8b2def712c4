// Bundles the tests that run in plain Node and runs them with mocha.
//   node scripts/unit.mjs                     every test of test/unit, test/flow, test/architecture and test/hardening
//   node scripts/unit.mjs skill gate          only test files whose path contains one of these words
//   node scripts/unit.mjs --full              with the full numbers (WHETSTONE_FULL=1), and what ends in .full.test.ts,
//                                             which is else run only where a word asks for it
//   node scripts/unit.mjs --part=1/2          every second file of them, for another process to run the rest beside
//   node scripts/unit.mjs --costs             tells at the end which files take most of the processor
//   node scripts/unit.mjs --floor=agents      the tests of test/agents alone, as scripts/agents.mjs runs them
//   node scripts/unit.mjs skill --grep 'words'  passes --grep on to mocha
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import costs from './fileCosts.cjs';
import { ensureRedis, ensureSandboxTools } from './host/debian.mjs';
import { copyNativeFiles, sandboxBundle } from './sandboxBundle.mjs';

const root = path.resolve(import.meta.dirname, '..');
const argv = process.argv.slice(2);
const onlyFloor = argv.find((word) => word.startsWith('--floor='))?.slice('--floor='.length);
const floors = onlyFloor === undefined ? ['unit', 'flow', 'architecture', 'hardening'] : [onlyFloor];
const grepAt = argv.indexOf('--grep');
const grep = grepAt < 0 ? [] : argv.splice(grepAt, 2);
const full = argv.includes('--full');
const told = argv.includes('--costs');
const [part = 1, parts = 1] =
  argv
    .find((word) => word.startsWith('--part='))
    ?.slice('--part='.length)
    .split('/')
    .map(Number) ?? [];
const words = argv.filter((word) => !word.startsWith('--'));
// Tests make and delete thousands of small files, and wait until each is on disk: in memory that takes a tenth of the time.
const memory = '/dev/shm';
const temporary = process.env.TMPDIR === undefined && existsSync(memory) ? { TMPDIR: memory } : {};

// A version manager puts a shim before Python that starts thirty shells before it; with the full numbers tests go through it.
const direct = full ? {} : pythonFirst();

const files = floors
  .flatMap((floor) => testFiles(path.join(root, 'test', floor)))
  .filter((file) => words.length === 0 || words.some((word) => path.relative(root, file).includes(word)))
  .filter((file) => full || !file.endsWith('.full.test.ts') || isNamed(path.relative(root, file)))
  .sort((a, b) => Number(slowsOthers(a)) - Number(slowsOthers(b)) || (a < b ? -1 : 1))
  .filter((_, index) => index % parts === part - 1);
if (files.length === 0) {
  process.stderr.write(`No test file matches: ${words.join(' ')}\n`);
  process.exit(1);
}

if (files.some((file) => /sandbox/i.test(path.relative(root, file))))
  ensureSandboxTools((line) => process.stdout.write(`sandbox: ${line}\n`));

if (files.some((file) => path.relative(root, file).startsWith(path.join('test', 'flow', 'queue'))))
  ensureRedis((line) => process.stdout.write(`queue: ${line}\n`));

// A folder of its own: two runs at the same time must not read each other's bundle.
const out = path.join(root, 'out', `unit-${process.pid}`);
mkdirSync(out, { recursive: true });
const bundle = path.join(out, 'tests.mjs');
try {
  await build({
    stdin: {
      contents: files.map(importOf).join('\n'),
      resolveDir: root,
    },
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    sourcemap: 'inline',
    loader: { '.md': 'text', '.child.cjs': 'text' },
    logLevel: 'warning',
    plugins: told ? [costs.fileMarks] : [],
  });
  // Beside the tests, as beside what ships.
  await build({ ...sandboxBundle, outdir: out });
  copyNativeFiles(out);
  const run = spawnSync(
    process.execPath,
    [
      '--enable-source-maps',
      // Thousands of tests share one heap: with the small young generation of a server a fifth of the time goes into it.
      '--max-semi-space-size=64',
      path.join(root, 'node_modules/mocha/bin/mocha.js'),
      bundle,
      '--reporter',
      path.join(root, 'scripts/countingReporter.cjs'),
      ...(told ? ['--reporter-option', 'costs'] : []),
      '--timeout',
      // They run beside other things, and at times on a machine that others use too; real programs take seconds to start.
      onlyFloor === 'agents' ? '600000' : '180000',
      ...grep,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...temporary, ...direct, ...(full ? { WHETSTONE_FULL: '1' } : {}) },
    },
  );
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}

/** What of the bundle loads a file, and says its name before where somebody asked what each takes. */
function importOf(file) {
  const name = path.relative(root, file).split(path.sep).join('/');
  const names = told ? [costs.mark + name, file] : [file];
  return names.map((each) => `import ${JSON.stringify(each)};`).join('');
}

/** A PATH that leads to where Python really lies; nothing where it does already. */
function pythonFirst() {
  const asked = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  const folder = path.dirname(asked.stdout?.trim() ?? '');
  const usual = process.env.PATH ?? '';
  const leadsThere = !path.isAbsolute(folder) || usual.split(path.delimiter).includes(folder);
  return leadsThere ? {} : { PATH: [folder, usual].join(path.delimiter) };
}

/** The server in it turns on the async hooks of its process, by which every promise after takes twice as long: it comes last. */
function slowsOthers(file) {
  return file.endsWith(path.join('models', 'openai', 'contract.test.ts'));
}

/** By a word of its path: who names a folder does not ask for what takes long in it. */
function isNamed(file) {
  return words.some((word) => !word.endsWith('/') && file.includes(word));
}

function testFiles(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
      .map((entry) => path.join(entry.parentPath, entry.name));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}
