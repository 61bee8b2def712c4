// Builds what ships: one entry that activation loads, one that is loaded at first use, and the command line.
// `--watch` rebuilds on change; `--production` minifies.
import { context, build } from 'esbuild';
import { readFileSync, rmSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** @type {import('esbuild').BuildOptions} */
const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  outdir: 'dist',
  loader: { '.md': 'text' },
  minify: production,
  sourcemap: !production,
  logLevel: 'warning',
  mainFields: ['module', 'main'],
  // Packages published as ES modules read import.meta.url; a CommonJS bundle has none.
  define: { 'import.meta.url': 'importMetaUrl', whetstoneVersion: JSON.stringify(version) },
  inject: ['scripts/importMetaUrl.js'],
};

const builds = [
  {
    ...shared,
    entryPoints: { extension: 'src/extension.ts', workshop: 'src/workshop.ts' },
    external: ['vscode', './workshop.js'],
  },
  // Without `external: ['vscode']`: an import of it from the command line does not build.
  { ...shared, entryPoints: { cli: 'src/cli.ts' }, banner: { js: '#!/usr/bin/env node' } },
];

// What an earlier build left (source maps, entries that are gone) must not ship.
if (production) rmSync('dist', { recursive: true, force: true });

if (watch) {
  for (const options of builds) await (await context(options)).watch();
  process.stdout.write('watching\n');
} else {
  await Promise.all(builds.map((options) => build(options)));
}
