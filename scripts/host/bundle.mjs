// Bundles tests for the two places in which they run: VS Code's extension host, and plain Node.
import { build } from 'esbuild';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { atEnd } from './cleanup.mjs';
import { root } from './paths.mjs';

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  sourcemap: 'inline',
  loader: { '.md': 'text', '.child.cjs': 'text' },
  logLevel: 'warning',
};

/** A folder of this process alone, gone when it ends: two runs at once must not read each other's bundles. */
export function bundleFolder(kind) {
  const folder = path.join(root, 'out', `${kind}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Two files: the entry that VS Code loads, and the tests that the entry loads, so that it can tell when they crash. */
export async function bundleHostTests(files, folder) {
  const define = { 'import.meta.url': 'undefined' }; // a file of the host has none
  const options = { ...shared, format: 'cjs', outExtension: { '.js': '.cjs' }, define };
  await build({ ...options, entryPoints: { index: 'test/host/index.ts' }, outdir: folder });
  await build({ ...options, stdin: scriptsOf(files), outfile: path.join(folder, 'tests.cjs') });
  return path.join(folder, 'index.cjs');
}

export async function bundleNodeTests(files, folder) {
  const outfile = path.join(folder, 'tests.mjs');
  // The scripts stay where they are: they find the project by their own place in it.
  await build({ ...shared, format: 'esm', external: ['./scripts/*'], stdin: scriptsOf(files), outfile });
  return outfile;
}

// Each in a suite named after its file, so that the counts can tell which script they are of.
function scriptsOf(files) {
  const contents = files.map((file) => `describe(${quoted(nameOf(file))}, () => void require(${quoted(file)}));`);
  return { contents: contents.join('\n'), resolveDir: root };
}

function nameOf(file) {
  return path.relative(root, file).split(path.sep).join('/');
}

function quoted(text) {
  return JSON.stringify(text);
}
