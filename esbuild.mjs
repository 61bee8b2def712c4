// Builds what ships: one entry that activation loads, those that are loaded at first use, and the command line.
// `--watch` rebuilds on change; `--production` minifies, and writes the licence notices of what is bundled; `--npm <folder>`
// builds for the npm package instead, there: the command line and the library; `--out <folder>` the extension elsewhere.
import { context, build } from 'esbuild';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { besideEachOther, besides } from './scripts/besideEachOther.mjs';
import { queueBundle } from './scripts/queueBundle.mjs';
import { copyNativeFiles, sandboxBundle } from './scripts/sandboxBundle.mjs';
import { noticesOf, shippedPackages } from './scripts/shipped.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const npmAt = process.argv.indexOf('--npm');
const npmFolder = npmAt < 0 ? undefined : process.argv[npmAt + 1];
const outAt = process.argv.indexOf('--out');
const outdir = npmFolder ?? (outAt < 0 ? 'dist' : process.argv[outAt + 1]);

/** @type {import('esbuild').BuildOptions} */
const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  outdir,
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

const divided = { ...shared, plugins: [besideEachOther] };

/** What the command line is made of. Without `external: ['vscode']`: an import of it from there does not build. */
const commandLine = [
  { ...divided, entryPoints: { core: 'src/bundles/core.ts' } },
  ...besides.map((options) => ({ ...shared, ...options })),
  { ...divided, entryPoints: { cli: 'src/cli.ts' }, banner: { js: '#!/usr/bin/env node' } },
  // A process of its own, which alone holds the library of the sandbox.
  { ...shared, ...sandboxBundle },
];

const library = [
  ...commandLine,
  { ...divided, entryPoints: { library: 'src/library.ts' } },
  // Attempts on other machines: no part of the extension.
  { ...shared, ...queueBundle([besideEachOther]) },
];
const extension = [
  {
    ...divided,
    entryPoints: {
      extension: 'src/extension.ts',
      commands: 'src/bundles/commands.ts',
      nightly: 'src/bundles/nightly.ts',
    },
    external: ['vscode'],
  },
  ...commandLine,
  // The page of the training report: for a browser, as one script.
  {
    ...shared,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    inject: [],
    entryPoints: { report: 'src/webview/report.ts' },
  },
];

const builds = npmFolder === undefined ? extension : library;

// What an earlier build left (source maps, entries that are gone) must not ship.
if (production) rmSync(outdir, { recursive: true, force: true });

if (watch) {
  copyNativeFiles(outdir);
  for (const options of builds) await (await context(options)).watch();
  process.stdout.write('watching\n');
} else {
  copyNativeFiles(outdir);
  const built = await Promise.all(builds.map((options) => build(options)));
  const packages = shippedPackages(built.map(({ metafile }) => metafile));
  if (production) {
    writeFileSync(path.join(outdir, 'THIRD-PARTY-NOTICES.txt'), noticesOf(packages));
    writeFileSync(
      path.join(outdir, 'packages.json'),
      `${JSON.stringify(packages, ['name', 'version', 'license'], 2)}\n`,
    );
  }
}
