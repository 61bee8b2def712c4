// `npm run test:hardening`: the attacks on this house, as suites of our own, with one table of figures at the end.
//   node scripts/hardening.mjs                  every suite: test/hardening/** in plain Node, then test/e2e/hardening/** in windows
//   node scripts/hardening.mjs kills secrets    only suites whose path contains one of these words
//   node scripts/hardening.mjs --seed 17        repeats what an earlier run printed; without it a new one is drawn
//   node scripts/hardening.mjs --no-windows     without those that open VS Code
// Each suite is a process of its own with WHETSTONE_HARDENING=1 (the whole numbers; `npm test` runs a short part of each with
// a fixed seed) and WHETSTONE_SEED. It reports through `figure` of test/hardening/figures.ts, a line of JSON in the file that
// WHETSTONE_FIGURES names. The run fails where a suite fails, and where one reports no figure.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isChosen, testFiles } from './host/suites.mjs';

const root = path.resolve(import.meta.dirname, '..');
const { words, seed, windows } = readChoice(process.argv.slice(2));
const suites = [
  ...suitesIn('test/hardening', ['scripts/unit.mjs']),
  ...(windows ? suitesIn('test/e2e/hardening', ['scripts/host/e2e.mjs', '--full', '--no-pictures']) : []),
];
if (suites.length === 0) fail(`No suite matches: ${words.join(' ')}`);

say(`${suites.length} suites, seed ${seed} (again with: npm run test:hardening -- --seed ${seed})`);
const started = Date.now();
const outcomes = runAll();
const table = tableOf(outcomes);
say(`${table}\n`);
mkdirSync(path.join(root, 'out'), { recursive: true });
writeFileSync(path.join(root, 'out/hardening.md'), `Seed ${seed}\n\n${table}\n`);
for (const { name, problem } of outcomes)
  if (problem !== undefined) process.stderr.write(`FAILED  ${name}: ${problem}\n`);
const failed = outcomes.filter(({ problem }) => problem !== undefined).length;
say(
  `${outcomes.length - failed} suites held, ${failed} failed, seed ${seed} (${seconds(started)} s); out/hardening.md`,
);
process.exitCode = failed === 0 ? 0 : 1;

function runAll() {
  const folder = mkdtempSync(path.join(tmpdir(), 'whetstone-hardening-'));
  try {
    return suites.map((suite, at) => runSuite(suite, path.join(folder, String(at))));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runSuite({ name, command }, place) {
  const [figuresFile, countsFile] = [`${place}.figures.jsonl`, `${place}.counts.json`];
  const suiteStarted = Date.now();
  say(`\n== ${name}, seed ${seed}`);
  const { status } = spawnSync(process.execPath, [...command, name], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      WHETSTONE_HARDENING: '1',
      WHETSTONE_SEED: String(seed),
      WHETSTONE_FIGURES: figuresFile,
      WHETSTONE_RESULT: countsFile,
    },
  });
  const figures = readLines(figuresFile);
  return { name, figures, seconds: seconds(suiteStarted), problem: problemOf(status, figures, readCounts(countsFile)) };
}

function problemOf(status, figures, { passed, problems }) {
  if (problems.length > 0) return problems.join('; ');
  if (status !== 0) return `it ended with ${status} without saying what failed`;
  if (passed === 0) return 'it ran no test';
  return figures.length === 0 ? 'it reported no figure' : undefined;
}

function tableOf(all) {
  const rows = all.flatMap(({ name, figures, problem, seconds: took }) => [
    ...figures.map(({ what, tried, result, seed: used }) => [what, tried, result, used]),
    [`${problem === undefined ? 'held' : '**failed**'}: ${name}`, '', `${took} s`, seed],
  ]);
  return ['', '| what | tried | result | seed |', '|---|---|---|---|', ...rows.map(rowOf)].join('\n');
}

function rowOf(cells) {
  return `| ${cells
    .map((cell) =>
      String(cell ?? '')
        .replaceAll('|', '\\|')
        .replaceAll(/\s+/g, ' '),
    )
    .join(' | ')} |`;
}

function suitesIn(folder, command) {
  return testFiles(path.join(root, folder))
    .filter((file) => isChosen(file, words))
    .map((file) => ({ name: path.relative(root, file).split(path.sep).join('/'), command }));
}

function readLines(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

function readCounts(file) {
  return { passed: 0, problems: [], ...(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) };
}

function readChoice(argv) {
  const rest = [...argv];
  const at = rest.indexOf('--seed');
  const [, named] = at < 0 ? [] : rest.splice(at, 2);
  const chosen = at < 0 ? 1 + (Date.now() % 0x7fff_fffe) : Number(named);
  if (!Number.isSafeInteger(chosen) || chosen < 1 || chosen > 0x7fff_ffff)
    fail('--seed takes a whole number from 1 to 2147483647.');
  const unknown = rest.find((word) => word.startsWith('--') && word !== '--no-windows');
  if (unknown !== undefined) fail(`There is no option ${unknown}; there are --seed and --no-windows.`);
  return {
    words: rest.filter((word) => !word.startsWith('--')),
    seed: chosen,
    windows: !rest.includes('--no-windows') && process.platform === 'linux',
  };
}

function seconds(since) {
  return Math.round((Date.now() - since) / 1000);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
