// Runs test/e2e/**: mocha in plain Node, driving VS Code's window in a browser. Linux only, like the host from npm.
//   node scripts/host/e2e.mjs [words] [--full] [--grep 'words'] [--no-build] [--no-pictures] [--packaged]
// Pictures go to out/screenshots; without them only those of failures do. WHETSTONE_RESULT names a file for the counts; WHETSTONE_KEEP=1 keeps the folders.
// `--packaged`: every script has the extension of whetstone.vsix, so that all of them can share one browser.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readArguments } from './arguments.mjs';
import { bundleFolder, bundleNodeTests } from './bundle.mjs';
import { atEnd } from './cleanup.mjs';
import { installHost } from './install.mjs';
import { hostPackages, root } from './paths.mjs';
import { isChosen, isInTier, testFiles } from './suites.mjs';

const { words, grep, full, noBuild, noPictures, packaged } = readArguments(process.argv.slice(2));
if (hostPackages() === undefined) {
  process.stdout.write('end to end: not on this platform\n');
  writeCounts({ passed: 0, failed: 0, skipped: 0 });
} else {
  process.exitCode = await run().catch(reportFailure);
}

async function run() {
  const files = testFiles(path.join(root, 'test/e2e')).filter(
    (file) => isInTier(file, { full, words }) && isChosen(file, words),
  );
  if (files.length === 0) throw new Error(`No test file matches: ${words.join(' ')}`);
  if (!noBuild) build();
  await installHost();
  mkdirSync(path.join(root, 'out/screenshots'), { recursive: true });
  const folder = bundleFolder('e2e');
  return mocha(await bundleNodeTests(files, folder), process.env.WHETSTONE_RESULT ?? path.join(folder, 'counts.json'));
}

function mocha(bundle, countsFile) {
  rmSync(countsFile, { force: true });
  const args = [
    '--enable-source-maps',
    path.join(root, 'node_modules/mocha/bin/mocha.js'),
    bundle,
    '--reporter',
    path.join(root, 'scripts/countingReporter.cjs'),
    '--exit',
    '--timeout=240000', // a window takes up to 20 s to open on busy cores, and minutes on a machine that others use too
    ...(process.env.CI ? ['--forbid-only'] : []),
    ...(grep === undefined ? [] : ['--grep', grep]),
  ];
  const env = {
    ...process.env,
    WHETSTONE_RESULT: countsFile,
    ...(full ? { WHETSTONE_FULL: '1' } : {}),
    ...(noPictures ? { WHETSTONE_NO_PICTURES: '1' } : {}),
    ...(packaged ? { WHETSTONE_PACKAGED: '1' } : {}),
  };
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env });
  atEnd(() => child.kill('SIGTERM')); // that process holds the windows, and closes them when it is told to end
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      if (code === 0 || existsSync(countsFile)) resolve(code ?? 1);
      else
        reject(
          new Error(`The tests ended with ${code} and without counts: they crashed while loading, or were killed.`),
        );
    });
  });
}

function build() {
  const built = spawnSync(process.execPath, ['esbuild.mjs'], { cwd: root, stdio: 'inherit' });
  if (built.status !== 0) throw new Error('The extension does not build.');
}

function reportFailure(error) {
  process.stderr.write(`end to end: ${error.message}\n\n0 passed, 1 failed\n`);
  writeCounts({ passed: 0, failed: 1, skipped: 0, problems: [error.message] });
  return 1;
}

function writeCounts(counts) {
  if (process.env.WHETSTONE_RESULT) writeFileSync(process.env.WHETSTONE_RESULT, JSON.stringify(counts));
}
