// Measures what must stay fast, and fails where a ratio is over its limit.
//   node scripts/bench.mjs                every test/bench/*/*.bench.ts
//   node scripts/bench.mjs tasks          only those whose path contains one of these words
// A bench exports `run(self)`, which gives one measurement or several: { name, ratio, limit, ... }. To measure in a
// process of its own it may start `self.command` with `self.arguments` and one more argument, which reaches its `child`.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { copyNativeFiles, sandboxBundle } from './sandboxBundle.mjs';

const root = path.resolve(import.meta.dirname, '..');
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const folder = path.join(root, 'test/bench');
const files = readdirSync(folder, { recursive: true })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort((a, b) => (a < b ? -1 : 1));
if (files.length === 0) {
  process.stderr.write(`No bench matches: ${words.join(' ')}\n`);
  process.exit(1);
}

const out = path.join(root, 'out', `bench-${process.pid}`);
mkdirSync(out, { recursive: true });
const bundle = path.join(out, 'bench.mjs');
const entry = `
${files.map((file, index) => `import * as bench${index} from ${JSON.stringify(`./test/bench/${file}`)};`).join('\n')}
const benches = { ${files.map((file, index) => `${JSON.stringify(file)}: bench${index}`).join(', ')} };
const [self, mode, name, argument] = process.argv.slice(1);
if (mode === '--child') process.stdout.write(JSON.stringify(await benches[name].child(argument)));
else {
  const measured = [];
  for (const [file, bench] of Object.entries(benches)) {
    const own = { command: process.execPath, arguments: ['--expose-gc', self, '--child', file] };
    const results = [await bench.run(own)].flat();
    for (const result of results) {
      const rounded = Object.entries(result).map(([key, value]) => [key, typeof value === 'number' ? Number(value.toFixed(2)) : value]);
      measured.push({ bench: file, ...Object.fromEntries(rounded), passed: result.ratio <= result.limit });
    }
  }
  process.stdout.write(JSON.stringify(measured, null, 2) + '\\n');
  const failed = measured.filter((result) => !result.passed);
  for (const { bench, name, ratio, limit } of failed) process.stderr.write(bench + ': ' + name + ': ' + ratio + ' is over ' + limit + '\\n');
  process.exitCode = failed.length > 0 ? 1 : 0;
}`;
try {
  await build({
    stdin: { contents: entry, resolveDir: root },
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    loader: { '.md': 'text', '.child.cjs': 'text' },
    logLevel: 'warning',
  });
  // Beside the benches, as beside what ships.
  await build({ ...sandboxBundle, outdir: out });
  copyNativeFiles(out);
  const run = spawnSync(process.execPath, ['--expose-gc', bundle], { cwd: root, stdio: 'inherit' });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
