// Writes a store with the code of this checkout into test/fixtures/stores/<version>: what this version leaves on a
// person's disk, for all later versions to open. Made once for a version and never again: a store that is made anew
// proves nothing about the one that people have.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const target = path.join(root, 'test/fixtures/stores', version);
if (existsSync(path.join(target, 'store.json'))) {
  process.stderr.write(`There is a store of ${version}. Raise the version in package.json first.\n`);
  process.exit(1);
}
mkdirSync(target, { recursive: true });
const out = path.join(root, 'out', `store-${process.pid}`);
try {
  await build({
    entryPoints: [path.join(root, 'test/stores/writeStore.ts')],
    outfile: path.join(out, 'writeStore.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    sourcemap: 'inline',
    loader: { '.md': 'text', '.child.cjs': 'text' },
    logLevel: 'warning',
  });
  const run = spawnSync(process.execPath, ['--enable-source-maps', path.join(out, 'writeStore.mjs'), version, target], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
