import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** Bundles the bench of `test/bench/<name>`, runs it with the words of the command line and ends as it does. */
export async function runBench(name) {
  const out = path.join(root, 'out', `bench-${name}-${process.pid}`);
  mkdirSync(out, { recursive: true });
  const bundle = path.join(out, 'bench.mjs');
  try {
    await build({
      entryPoints: [path.join(root, 'test/bench', name, 'main.ts')],
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
}
