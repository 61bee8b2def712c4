// Simulates the gate and holds its bars; exit 1 when one is missed.
//   node scripts/bench-gate.mjs           tables and bars for people
//   node scripts/bench-gate.mjs bundles   only the groups whose names contain one of these words
//   node scripts/bench-gate.mjs --json    the cells as a JSON array on standard output, the rest on standard error
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const out = path.join(root, 'out', `bench-gate-${process.pid}`);
mkdirSync(out, { recursive: true });
const bundle = path.join(out, 'bench.mjs');
try {
  await build({
    entryPoints: [path.join(root, 'test/bench/gate/main.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
  const run = spawnSync(process.execPath, [bundle, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
