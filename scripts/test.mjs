// `npm test`: types, lint, dead code, format, then every floor of the tests, up to those inside a real VS Code.
// Each step is shown as it runs; at the end all counts are added up in one line: `N passed, N failed`. The two floors in
// VS Code mostly wait for windows: they run side by side, unless figures are taken (--full), and are shown one by one.
//   --full          the full numbers (see CONTRIBUTING.md)
//   --skip host     leaves a step out by name, for a quick look while working; refused under CI=true
import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testFiles } from './host/suites.mjs';

const root = path.resolve(import.meta.dirname, '..');
const full = process.argv.includes('--full');
const skipped = process.argv.flatMap((word, at) => (process.argv[at - 1] === '--skip' ? [word] : []));
if (skipped.length > 0 && process.env.CI === 'true') fail('Under CI=true every step runs: leave --skip away.');

const binary = (name) => path.join(root, 'node_modules', name);
const node = (...words) => [process.execPath, ...words];
const fullFlag = full ? ['--full'] : [];

/**
 * `counts`: the step runs tests and writes how many passed; every other step counts as one test of its own.
 * `beside`: it begins with that step and is shown once that has ended; those between the two follow on that step.
 */
const steps = [
  { name: 'types', run: node(binary('typescript/bin/tsc'), '--noEmit', '-p', '.') },
  { name: 'types of report', run: node(binary('typescript/bin/tsc'), '--noEmit', '-p', 'src/webview') },
  { name: 'types of e2e', run: node(binary('typescript/bin/tsc'), '--noEmit', '-p', 'test/e2e') },
  { name: 'lint', run: node(binary('oxlint/bin/oxlint')) },
  { name: 'dead code', run: node(binary('knip/bin/knip.js')) },
  { name: 'format', run: node(binary('oxfmt/bin/oxfmt'), '--check') },
  { name: 'build', run: node('esbuild.mjs', '--production') },
  { name: 'unit', run: node('scripts/unit.mjs', ...fullFlag), counts: true },
  { name: 'package', run: node('scripts/package.mjs') },
  // Once, before the two that need it begin together. On other systems VS Code itself is downloaded.
  ...(process.platform === 'linux' ? [{ name: 'test host', run: node('scripts/host/install.mjs') }] : []),
  { name: 'host', run: node('scripts/host/run.mjs', '--no-build', ...fullFlag), counts: true },
  ...e2eSteps(),
  ...(full
    ? [
        { name: 'bench', run: node('scripts/bench.mjs') },
        { name: 'bench:gate', run: node('scripts/bench-gate.mjs') },
      ]
    : []),
];

const results = mkdtempSync(path.join(tmpdir(), 'whetstone-test-'));
const outcomes = [];
try {
  for (const lanes of inGroups(steps.filter(({ name }) => !skipped.includes(name)))) {
    const running = lanes.map((lane, index) => runLane(lane, index > 0));
    for (const { ended, shown } of running) {
      outcomes.push(...(await ended));
      for (const file of shown) process.stdout.write(readFileSync(file));
    }
  }
} finally {
  rmSync(results, { recursive: true, force: true });
}

process.stdout.write('\n');
for (const { name, passed, failed, seconds } of outcomes) {
  process.stdout.write(
    `${failed > 0 ? 'FAILED' : 'ok    '}  ${name.padEnd(10)} ${passed} passed, ${failed} failed (${seconds} s)\n`,
  );
}
const sum = (key) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
const skips = sum('skipped');
process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed${skips > 0 ? `, ${skips} skipped` : ''}\n`);
process.exitCode = sum('failed') > 0 ? 1 : 0;

/** The scripts that drive the window: one step, or two of about the same length as what runs beside them. */
function e2eSteps() {
  if (full) return [e2eStep('e2e', '--full')];
  const files = testFiles(path.join(root, 'test/e2e')).filter((file) => !file.endsWith('.full.test.ts'));
  const words = files.map((file) => path.relative(root, file).split(path.sep).join('/'));
  return [
    e2eStep('e2e', ...words.filter(isAfterHost)),
    { ...e2eStep('e2e beside', ...words.filter((word) => !isAfterHost(word))), beside: 'host' },
  ];
}

function e2eStep(name, ...words) {
  return { name, run: node('scripts/host/e2e.mjs', '--no-build', ...words), counts: true };
}

function isAfterHost(word) {
  return word.includes('e2e/review/');
}

/** Lanes of steps: most stand alone, one after the other; what runs beside a step runs beside all that follow it. */
function inGroups(list) {
  const groups = [];
  for (const step of list) {
    const at = step.beside === undefined ? -1 : groups.findIndex(([[first]]) => first?.name === step.beside);
    if (at < 0) groups.push([[step]]);
    else groups.splice(at, groups.length - at, [groups.slice(at).flatMap(([lane]) => lane), [step]]);
  }
  return groups;
}

/** Runs steps one after the other: on the screen, or into files that are shown later. */
function runLane(lane, aside) {
  const shown = aside ? lane.map(({ name }) => path.join(results, `${name.replace(/\W/g, '-')}.txt`)) : [];
  const run = async () => {
    const ends = [];
    for (const [index, step] of lane.entries()) {
      const output = shown[index] === undefined ? 'inherit' : openSync(shown[index], 'w');
      const title = `\n== ${step.name}\n`;
      if (output === 'inherit') process.stdout.write(title);
      else writeSync(output, title);
      ends.push(await runStep(step, ['inherit', output, output]));
    }
    return ends;
  };
  return { ended: run(), shown };
}

async function runStep({ name, run, counts }, stdio) {
  const started = Date.now();
  const result = path.join(results, `${name.replace(/\W/g, '-')}.json`);
  const env = { ...process.env, ...(counts ? { WHETSTONE_RESULT: result } : {}) };
  const child = spawn(run[0], run.slice(1), { cwd: root, stdio, env });
  const ok = await new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
  const seconds = Math.round((Date.now() - started) / 1000);
  if (!counts) return { name, passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, seconds };
  const read = readCounts(result);
  // A floor that failed without a failed test (it crashed, or never started) is one failure, never silence.
  const failed = ok ? read.failed : Math.max(1, read.failed);
  return { name, passed: read.passed, failed, skipped: read.skipped, seconds };
}

function readCounts(file) {
  try {
    return { passed: 0, failed: 0, skipped: 0, ...JSON.parse(readFileSync(file, 'utf8')) };
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
