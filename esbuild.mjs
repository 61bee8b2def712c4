// Builds what ships: one entry that activation loads, those that are loaded at first use, and the command line.
// `--watch` rebuilds on change; `--production` minifies, and writes the licence notices of what is bundled.
import { context, build } from 'esbuild';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { noticesOf, shippedPackages } from './scripts/shipped.mjs';

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
  loader: { '.md': 'text', '.child.cjs': 'text' },
  minify: production,
  sourcemap: !production,
  metafile: true,
  logLevel: 'warning',
  mainFields: ['module', 'main'],
  // Packages published as ES modules read import.meta.url; a CommonJS bundle has none.
  define: { 'import.meta.url': 'importMetaUrl', whetstoneVersion: JSON.stringify(version) },
  inject: ['scripts/importMetaUrl.js'],
};

// What is built once and loaded by several: the errors, so that `instanceof` holds across bundles, the translations, so that
// one language is set for all of them, and the bundles that are loaded later than what imports them. In `dist/` all of
// them lie side by side.
const apart = [
  'src/errors.js',
  'src/wording/translate.js',
  'src/bundles/core.js',
  'src/bundles/commands.js',
  'src/bundles/nightly.js',
];
const besideEachOther = {
  name: 'beside-each-other',
  setup({ onResolve }) {
    onResolve({ filter: /^\..*\.js$/ }, ({ path: specifier, resolveDir }) => {
      const file = path.relative('.', path.resolve(resolveDir, specifier)).replaceAll('\\', '/');
      return apart.includes(file) ? { path: `./${path.basename(file)}`, external: true } : undefined;
    });
  },
};
const divided = { ...shared, plugins: [besideEachOther] };

const builds = [
  {
    ...divided,
    entryPoints: {
      extension: 'src/extension.ts',
      commands: 'src/bundles/commands.ts',
      nightly: 'src/bundles/nightly.ts',
    },
    external: ['vscode'],
  },
  // Without `external: ['vscode']`: an import of it from the command line, or from what it shares, does not build.
  { ...divided, entryPoints: { core: 'src/bundles/core.ts' } },
  { ...shared, entryPoints: { errors: 'src/errors.ts', translate: 'src/wording/translate.ts' } },
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
    banner: { js: '#!/usr/bin/env node' },
  },
];

// What an earlier build left (source maps, entries that are gone) must not ship.
if (production) rmSync('dist', { recursive: true, force: true });

if (watch) {
  for (const options of builds) await (await context(options)).watch();
  process.stdout.write('watching\n');
} else {
  const built = await Promise.all(builds.map((options) => build(options)));
  const packages = shippedPackages(built.map(({ metafile }) => metafile));
  if (production) {
    writeFileSync('dist/THIRD-PARTY-NOTICES.txt', noticesOf(packages));
    writeFileSync('dist/packages.json', `${JSON.stringify(packages, ['name', 'version', 'license'], 2)}\n`);
  }
}
