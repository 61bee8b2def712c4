// Builds what ships: one entry that activation loads, those that are loaded at first use, and the command line.
// `--watch` rebuilds on change; `--production` minifies.
import { context, build } from 'esbuild';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

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

// One copy of the errors for all bundles: `instanceof` must hold across them.
const sharedErrors = {
  name: 'shared-errors',
  setup({ onResolve }) {
    onResolve({ filter: /\/errors\.js$/ }, ({ path: specifier, resolveDir }) =>
      path.resolve(resolveDir, specifier) === path.resolve('src/errors.js')
        ? { path: './errors.js', external: true }
        : undefined,
    );
  },
};
const divided = { ...shared, plugins: [sharedErrors] };
const laterBundles = ['./workshop.js', './rooms.js', './nightly.js'];

const builds = [
  {
    ...divided,
    entryPoints: { extension: 'src/extension.ts', rooms: 'src/rooms.ts', nightly: 'src/nightly.ts' },
    external: ['vscode', ...laterBundles],
  },
  // Without `external: ['vscode']`: an import of it from the command line, or from what it shares, does not build.
  { ...divided, entryPoints: { workshop: 'src/workshop.ts' } },
  { ...shared, entryPoints: { errors: 'src/errors.ts' } },
  // The page of the training report: for a browser, as one script.
  {
    ...shared,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    inject: [],
    entryPoints: { report: 'src/webview/report.ts' },
  },
  {
    ...divided,
    entryPoints: { cli: 'src/cli.ts' },
    external: ['./workshop.js'],
    banner: { js: '#!/usr/bin/env node' },
  },
];

// What an earlier build left (source maps, entries that are gone) must not ship.
if (production) rmSync('dist', { recursive: true, force: true });

if (watch) {
  for (const options of builds) await (await context(options)).watch();
  process.stdout.write('watching\n');
} else {
  await Promise.all(builds.map((options) => build(options)));
}
