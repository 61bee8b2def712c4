// `npm test`: types, lint, dead code, format, then every floor of the tests, up to those inside a real VS Code.
// What does not need each other runs side by side and is shown when it ends; at the end all counts are added up in one
// line: `N passed, N failed`. A script that fails in a window is run once more, in a new one; many of those fail the run.
//   --full          the full numbers, and after them the benches, one by one because figures are taken (see CONTRIBUTING.md)
//   --skip host     leaves a step out by name, for a quick look while working; refused under CI=true
//   --only unit     runs the named steps alone, as a job of CI does; `--only quick`: all that needs no window
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findSuites, groupBy, isInTier, testFiles } from './host/suites.mjs';
import { runJobs } from './test/jobs.mjs';
import { printOutcome } from './test/outcome.mjs';
import { readChoice } from './test/steps.mjs';

const root = path.resolve(import.meta.dirname, '..');
const full = process.argv.includes('--full');
const { skipped, isWanted } = choice();
if (skipped.length > 0 && process.env.CI === 'true') fail('Under CI=true every step runs: leave --skip away.');

const fullFlag = full ? ['--full'] : [];
// On a desktop two windows would take the focus from each other. The short numbers have two jobs with windows: a third lane
// has the tests in plain Node from the start, and whatever is left when they are over.
const short = process.platform === 'linux' && !full;
const lanes = process.platform !== 'linux' ? 1 : short ? 3 : 2;

// What looks at types is written in Go, and collects its garbage less often so: it takes more memory and less time.
const lessWork = { GOGC: '400' };

// The processes of the flows run what was just packaged; where nothing was, they build it.
const packaged = isWanted('package') ? { WHETSTONE_PACKAGED: '1' } : {};

/**
 * A job is a process. `step` is its line in the outcome, `counts`: it runs tests and writes how many passed; every other
 * job counts as one test of its own. `scripts`: the test files that it runs in a window; those that fail are run once
 * more. `aside`: it goes on beside the others, because it waits for time to pass, or for files and processes so often that
 * two lanes of windows leave it enough of the processor. `needs`: the steps that are over before it begins. `env`: what
 * its environment has besides.
 */
const phases = [
  [
    // On other systems VS Code itself is downloaded.
    ...(process.platform === 'linux' ? [{ step: 'test host', run: node('scripts/host/install.mjs') }] : []),
    { step: 'package', run: node('scripts/package.mjs') },
    ...[
      ...hostJobs(),
      ...windowJobs(),
      ...plainJobs('unit', ['test/unit/', 'test/architecture/'], 1).map((job) => ({ ...job, aside: !short })),
      ...plainJobs('flow', ['test/flow/', 'test/hardening/'], 3).map((job) => ({ ...job, env: packaged })),
    ].map((job) => ({ ...job, needs: ['test host', 'package'] })),
    { step: 'types', run: typesOf('.'), env: lessWork },
    { step: 'types', name: 'types, pages', run: typesOf('src/webview'), env: lessWork },
    { step: 'lint', run: node(binary('oxlint/bin/oxlint')), env: lessWork },
    { step: 'dead code', run: node(binary('knip/bin/knip.js')) },
    { step: 'format', run: node(binary('oxfmt/bin/oxfmt'), '--check') },
  ].sort(longFirst),
  ...(full
    ? [
        [{ step: 'bench', run: node('scripts/bench.mjs') }],
        [{ step: 'bench:gate', run: node('scripts/bench-gate.mjs') }],
        [{ step: 'bench:truth', run: node('scripts/bench-truth.mjs', '--check') }],
      ]
    : []),
].map((phase) => phase.filter(({ step }) => isWanted(step)));

const started = Date.now();
const results = mkdtempSync(path.join(tmpdir(), 'whetstone-test-'));
const outcomes = [];
try {
  for (const phase of phases) {
    outcomes.push(...(await runJobs(phase, { root, lanes, results })));
  }
} finally {
  rmSync(results, { recursive: true, force: true });
}
process.exitCode = printOutcome(outcomes, Math.round((Date.now() - started) / 1000)) ? 0 : 1;

function choice() {
  try {
    return readChoice(process.argv);
  } catch (error) {
    return fail(error.message);
  }
}

/** By one checker: several look at many types each for itself, and there is enough to do beside. */
function typesOf(project) {
  return node(binary('typescript/bin/tsc'), '--noEmit', '-p', project, '--checkers', '1');
}

/** The tests in plain Node, in so many processes: each makes a bundle of its own and warms up anew. */
function plainJobs(step, folders, parts) {
  return Array.from({ length: parts }, (_, at) => ({
    step,
    name: parts === 1 ? step : `${step} ${at + 1} of ${parts}`,
    run: node('scripts/unit.mjs', ...folders, ...fullFlag, `--part=${at + 1}/${parts}`),
    counts: true,
  }));
}

/** The tests inside VS Code: one job for each window that they need. */
function hostJobs() {
  return findSuites({ full })
    .flatMap(({ name, files }) => {
      const sequences = full ? files.filter((file) => file.includes('scriptedReviewer')) : [];
      return [hostJob(`host ${name}`, without(files, sequences)), hostJob(`host ${name}, sequences`, sequences)];
    })
    .filter(({ scripts }) => scripts.length > 0);
}

function hostJob(name, files) {
  const run = node('scripts/host/run.mjs', '--no-build', ...fullFlag);
  return { step: 'host', name, run, scripts: files.map(fromRoot), counts: true };
}

function without(files, others) {
  return files.filter((file) => !others.includes(file));
}

/**
 * The scripts that drive a window as a person does: one job for each folder, whose scripts share a browser. The few of the
 * short tier are one job: a second server and browser would take as long as their scripts.
 */
function windowJobs() {
  const files = testFiles(path.join(root, 'test/e2e')).filter((file) => isInTier(file, { full }));
  return [...groupBy(files, full ? folderOf : () => 'all').values()].map((scripts) => ({
    step: 'e2e',
    name: `e2e ${[...new Set(scripts.map(folderOf))].join(', ')}`,
    run: node('scripts/host/e2e.mjs', '--no-build', ...(full ? ['--full'] : ['--no-pictures', '--packaged'])),
    scripts: scripts.map(fromRoot),
    counts: true,
    aside: full && folderOf(scripts[0]) === 'nightly',
  }));
}

/** None of the long ones is left for the end, when nothing runs beside it. */
function longFirst(a, b) {
  const windows = ['e2e nightly', 'host single, sequences', 'e2e results', 'e2e review', 'host single', 'e2e packaged'];
  const rest = full ? [...windows, 'flow', 'unit'] : ['unit', 'flow 1', 'host', 'flow', 'e2e'];
  const long = ['test host', 'package', ...rest];
  const place = ({ step, name = step }) => long.findIndex((start) => name.startsWith(start)) >>> 0;
  return place(a) - place(b);
}

function folderOf(file) {
  return path.basename(path.dirname(file));
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
