// Runs test/host/** inside the extension host of a real VS Code, one start for each suite.
//   node scripts/host/run.mjs                      every test
//   node scripts/host/run.mjs tree activation      only test files whose path contains one of these words
//   node scripts/host/run.mjs --full               with the full numbers (WHETSTONE_FULL=1)
//   node scripts/host/run.mjs --grep 'words'       only tests whose name matches
//   node scripts/host/run.mjs --bench review       measures of test/bench that are taken inside VS Code
//   node scripts/host/run.mjs --no-build           with the dist/ that is there
// WHETSTONE_HOST=electron|npm forces the host; WHETSTONE_RESULT names a file for the counts; WHETSTONE_KEEP=1 keeps the
// folders of the run.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleFolder, bundleHostTests } from './bundle.mjs';
import { chooseHost } from './chooseHost.mjs';
import { readArguments } from './arguments.mjs';
import { failure, followOutput, hostEnvironment, readOutcome } from './outcome.mjs';
import { root } from './paths.mjs';
import { openSession } from './session.mjs';
import { findSuites } from './suites.mjs';

const { words, grep, full, noBuild, bench } = readArguments(process.argv.slice(2));
const started = Date.now();
const suites = findSuites({ words, full, folder: bench ? 'test/bench' : undefined });
const outcomes = suites.length === 0 ? [failure(`No test file matches: ${words.join(' ')}`)] : await runAll();
finish(outcomes);

async function runAll() {
  try {
    if (!noBuild) buildExtension();
    const host = await chooseHost(say);
    const folder = bundleFolder('host');
    const results = [];
    for (const suite of suites) results.push(await runSuite(host, suite, path.join(folder, suite.name)));
    return results;
  } catch (error) {
    return [failure(error.message)];
  }
}

async function runSuite(host, suite, folder) {
  const suiteStarted = Date.now();
  say(`suite ${suite.name}: ${suite.files.length} test files in a ${host.name}`);
  const session = openSession(suite);
  Object.assign(session.env, hostEnvironment(session, { grep, full }));
  const output = followOutput(session);
  try {
    const entry = await bundleHostTests(suite.files, folder).catch((error) => fail('The tests do not build', error));
    const extensions = [root, ...(suite.extensions ?? []).map((name) => path.join(root, 'test/fixtures', name))];
    const explain = await host
      .run({ session, entry, extensions, trust: suite.trust, heard: output.lastPosition, isSeen: bench })
      .catch((error) => fail('The host did not start', error));
    output.stop();
    return readOutcome(session, explain);
  } catch (error) {
    return failure(error.message);
  } finally {
    output.stop();
    session.dispose();
    say(`suite ${suite.name}: ${seconds(suiteStarted)}`);
  }
}

function fail(what, error) {
  throw new Error(`${what}: ${error.message}`, { cause: error });
}

function buildExtension() {
  const run = spawnSync(process.execPath, ['esbuild.mjs'], { cwd: root, stdio: 'inherit' });
  if (run.status !== 0) throw new Error('The extension does not build.');
}

function finish(results) {
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  const problems = results.flatMap((result) => [
    ...(result.problems ?? []),
    ...(result.problem ? [result.problem] : []),
  ]);
  const scripts = Object.assign({}, ...results.map((result) => result.scripts));
  const leftOut = results.flatMap((result) => result.leftOut ?? []);
  const sums = { passed: total('passed'), failed: total('failed'), skipped: total('skipped') };
  const counts = { ...sums, problems, leftOut, scripts };
  for (const { problem } of results) if (problem !== undefined) process.stderr.write(`\n${problem}\n`);
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${skipped} (${seconds(started)})\n`);
  if (process.env.WHETSTONE_RESULT) writeFileSync(process.env.WHETSTONE_RESULT, JSON.stringify(counts));
  process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}

function say(line) {
  process.stdout.write(`test host: ${line}\n`);
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
