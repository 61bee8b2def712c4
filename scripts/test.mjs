// `npm test`: types, lint, dead code, format, then every floor of the tests, up to those inside a real VS Code.
// What does not need each other runs side by side and is shown when it ends; at the end all counts are added up in one
// line: `N passed, N failed`. What runs in a window and fails is run once more, whole, in a new window.
//   --full          the full numbers, one thing after the other because figures are taken (see CONTRIBUTING.md)
//   --skip host     leaves a step out by name, for a quick look while working; refused under CI=true
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findSuites, isInTier, testFiles } from './host/suites.mjs';
import { runJobs } from './test/jobs.mjs';
import { printOutcome } from './test/outcome.mjs';

const root = path.resolve(import.meta.dirname, '..');
const full = process.argv.includes('--full');
const skipped = process.argv.flatMap((word, at) => (process.argv[at - 1] === '--skip' ? [word] : []));
if (skipped.length > 0 && process.env.CI === 'true') fail('Under CI=true every step runs: leave --skip away.');

const fullFlag = full ? ['--full'] : [];
// On a desktop two windows would take the focus from each other.
const lanes = full || process.platform !== 'linux' ? 1 : 2;

/**
 * A job is a process. `step` is its line in the outcome, `counts`: it runs tests and writes how many passed; every other
 * job counts as one test of its own. `again`: it is run once more where it fails. `waits`: it mostly waits for time to
 * pass, and leaves the processor to others.
 */
const phases = [
  [
    // Once, before those that need it begin together. On other systems VS Code itself is downloaded.
    ...(process.platform === 'linux' ? [{ step: 'test host', run: node('scripts/host/install.mjs') }] : []),
    { step: 'types', run: node(binary('typescript/bin/tsc'), '--noEmit', '-p', '.') },
    { step: 'types', run: node(binary('typescript/bin/tsc'), '--noEmit', '-p', 'src/webview') },
    { step: 'types', run: node(binary('typescript/bin/tsc'), '--noEmit', '-p', 'test/e2e') },
    { step: 'lint', run: node(binary('oxlint/bin/oxlint')) },
    { step: 'dead code', run: node(binary('knip/bin/knip.js')) },
    { step: 'format', run: node(binary('oxfmt/bin/oxfmt'), '--check') },
    { step: 'package', run: node('scripts/package.mjs') },
  ],
  [
    { step: 'flow', run: node('scripts/unit.mjs', 'test/flow/', ...fullFlag), counts: true },
    { step: 'unit', run: node('scripts/unit.mjs', 'test/unit/', 'test/architecture/', ...fullFlag), counts: true },
  ],
  [...hostJobs(), ...windowJobs()].sort(longFirst),
  ...(full
    ? [
        [
          { step: 'bench', run: node('scripts/bench.mjs') },
          { step: 'bench:gate', run: node('scripts/bench-gate.mjs') },
        ],
      ]
    : []),
];

const results = mkdtempSync(path.join(tmpdir(), 'whetstone-test-'));
const outcomes = [];
try {
  for (const phase of phases) {
    const jobs = phase.filter(({ step }) => !skipped.includes(step));
    outcomes.push(...(await runJobs(jobs, { root, lanes, results })));
  }
} finally {
  rmSync(results, { recursive: true, force: true });
}
process.exitCode = printOutcome(outcomes) ? 0 : 1;

/** The tests inside VS Code: one job for each window that they need. */
function hostJobs() {
  return findSuites({ full }).map(({ name, files }) => ({
    step: 'host',
    name: `host ${name}`,
    run: node('scripts/host/run.mjs', '--no-build', ...files.map(fromRoot), ...fullFlag),
    counts: true,
    again: true,
  }));
}

/** The scripts that drive a window as a person does: one job each. */
function windowJobs() {
  return testFiles(path.join(root, 'test/e2e'))
    .filter((file) => isInTier(file, { full }))
    .map((file) => ({
      step: 'e2e',
      name: fromRoot(file),
      run: node('scripts/host/e2e.mjs', '--no-build', fromRoot(file), ...fullFlag),
      counts: true,
      again: true,
      waits: file.endsWith('nightly.test.ts'),
    }));
}

/** None of the long ones is left for the end, when nothing runs beside it. */
function longFirst(a, b) {
  const long = [
    'host review',
    'test/e2e/review/',
    'test/e2e/models/',
    'test/e2e/firstPath/',
    'test/e2e/results/tree',
    'host single',
  ];
  const place = ({ name }) => long.findIndex((start) => name.startsWith(start)) >>> 0;
  return place(a) - place(b);
}

function fromRoot(file) {
  return path.relative(root, file).split(path.sep).join('/');
}

function binary(name) {
  return path.join(root, 'node_modules', name);
}

function node(...words) {
  return [process.execPath, ...words];
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
