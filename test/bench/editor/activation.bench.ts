import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import activateText from './activate.child.cjs';
import standInText from './standInVscode.child.cjs';

const rounds = 15;
const Measured = z.object({ ms: z.number(), loaded: z.array(z.string()) });

/**
 * What it takes to load and activate the extension as it ships, without a window: against a bundle of as many bytes and
 * imports of the API that does nothing, by turns, each time in a new process. And what is loaded with it: the bundles that
 * are for later must not be.
 */
export async function run(): Promise<readonly object[]> {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-activation-')));
  try {
    layStandIn(root);
    const [dist, plain] = [path.join(root, 'dist'), path.join(root, 'plain')] as const;
    runNode([path.resolve('esbuild.mjs'), '--production', '--out', dist]);
    await buildPlain(path.join(dist, 'extension.js'), plain);
    const [ours, theirs] = byTurns(root, dist, plain);
    const sizeOf = (name: string): number => statSync(path.join(dist, name)).size;
    const own = sizeOf('extension.js');
    const all = ours.loaded.reduce((sum, name) => sum + sizeOf(name), 0);
    return [
      { name: 'loading and activating', ratio: ours.ms / theirs.ms, limit: 3, milliseconds: ours.ms, plain: theirs.ms },
      { name: 'bytes that it loads', ratio: all / own, limit: 1.25, loaded: ours.loaded.join(' '), bytes: all },
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

type Activation = z.infer<typeof Measured>;

/** The fastest of each: whatever else the machine does makes a start slower, never faster. */
function byTurns(root: string, dist: string, plain: string): readonly [Activation, Activation] {
  const measured = Array.from({ length: rounds }, () => [activated(root, dist), activated(root, plain)] as const);
  const fastest = (all: readonly Activation[]): Activation =>
    all.reduce((best, each) => (each.ms < best.ms ? each : best));
  return [fastest(measured.map(([ours]) => ours)), fastest(measured.map(([, theirs]) => theirs))];
}

function activated(root: string, folder: string): Activation {
  return Measured.parse(JSON.parse(runNode([path.join(root, 'activate.cjs'), folder])));
}

function runNode(words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${words.join(' ')} failed:\n${stderr}`);
  return stdout;
}

/** Where the extension and the plain bundle find an API. */
function layStandIn(root: string): void {
  const types = readFileSync('node_modules/@types/vscode/index.d.ts', 'utf8');
  const named = /^(?:\t| {4})export (?:abstract )?(?:namespace|class|enum|const|function) (\w+)/gmu;
  const names = [...types.matchAll(named)].map(([, name]) => name);
  if (names.length < 100) throw new Error('The types of VS Code are written otherwise.');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const api = path.join(root, 'node_modules', 'vscode');
  mkdirSync(api, { recursive: true });
  for (const folder of [root, api]) writeFileSync(path.join(folder, 'names.json'), JSON.stringify({ names, version }));
  writeFileSync(path.join(api, 'index.js'), standInText);
  writeFileSync(path.join(root, 'activate.cjs'), activateText);
}

/** A bundle with as many modules that import the API, each with a class that is never made, filled up to the same size. */
async function buildPlain(extension: string, outdir: string): Promise<void> {
  const text = readFileSync(extension, 'utf8');
  const modules = text.split('require("vscode")').length - 1;
  const filled = (room: number): Promise<unknown> =>
    build({
      stdin: { contents: entryOf(modules), resolveDir: '.' },
      outfile: path.join(outdir, 'extension.js'),
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'cjs',
      external: ['vscode'],
      plugins: [
        {
          name: 'plain-modules',
          setup(builder) {
            builder.onResolve({ filter: /^plain:/ }, ({ path: name }) => ({ path: name, namespace: 'plain' }));
            builder.onLoad({ filter: /.*/, namespace: 'plain' }, ({ path: name }) => ({
              contents: moduleOf(name.slice('plain:'.length), room),
              resolveDir: '.',
            }));
          },
        },
      ],
    });
  await filled(0);
  const least = statSync(path.join(outdir, 'extension.js')).size;
  await filled(Math.max(0, Math.round((Buffer.byteLength(text) - least) / modules / bytesOfMethod)));
}

function entryOf(modules: number): string {
  const names = Array.from({ length: modules }, (_, index) => index);
  const imports = names.map((index) => `import { Part as Part${index} } from 'plain:${index}';`);
  return `${imports.join('\n')}\nexport const parts = [${names.map((index) => `Part${index}`).join(', ')}];\nexport function activate() {}`;
}

const bytesOfMethod = 62; // of one such method, minified

function moduleOf(name: string, methods: number): string {
  const all = Array.from(
    { length: methods },
    (_, index) =>
      `method${100 + index}(first, second) { return vscode.window.showInformationMessage(first + second, ${index}); }`,
  );
  return `import * as vscode from 'vscode';\nexport class Part { name = ${name};\n${all.join('\n')} }`;
}
