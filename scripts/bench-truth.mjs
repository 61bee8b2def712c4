// Lays published acceptance rules and the gate over recorded outcomes; exit 1 when what we promise is missed.
//   node scripts/bench-truth.mjs           prints the table, and makes that of docs/truth.md and its picture anew
//   node scripts/bench-truth.mjs --check   writes nothing; exit 1 too where the page is not what was measured
//   node scripts/bench-truth.mjs --json    every figure as one JSON object on standard output
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const out = path.join(root, 'out', `bench-truth-${process.pid}`);
mkdirSync(out, { recursive: true });
const bundle = path.join(out, 'bench.mjs');
try {
  await build({
    entryPoints: [path.join(root, 'test/bench/truth/main.ts')],
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
