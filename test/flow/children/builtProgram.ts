import { copyFileSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { besideEachOther, besides } from '../../../scripts/besideEachOther.mjs';
import { queueBundle } from '../../../scripts/queueBundle.mjs';
import { programParts } from '../../../src/app/osSchedule/nightProgram.js';

/** The command line as it ships, in a folder of this run. */
export interface BuiltProgram {
  readonly cli: string;
}

let built: Promise<BuiltProgram> | undefined;

export function builtProgram(): Promise<BuiltProgram> {
  built ??= buildAll();
  return built;
}

let withQueue: Promise<BuiltProgram> | undefined;

/** The same with its part for queues, as in the npm package. */
export function builtWithQueue(): Promise<BuiltProgram> {
  withQueue ??= builtProgram().then(async (program) => {
    await build({ ...shared, outdir: path.dirname(program.cli), ...queueBundle([besideEachOther]) });
    return program;
  });
  return withQueue;
}

let window: Promise<string> | undefined;

/** A stand-in for a window, beside it. */
export function builtWindow(): Promise<string> {
  window ??= builtProgram().then(async ({ cli }) => {
    const outdir = path.dirname(cli);
    await build({ ...shared, outdir, entryPoints: { window: 'test/flow/children/window.ts' } });
    return path.join(outdir, 'window.js');
  });
  return window;
}

const shared: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  loader: { '.md': 'text', '.child.cjs': 'text' },
  logLevel: 'warning',
  mainFields: ['module', 'main'],
  define: { 'import.meta.url': 'importMetaUrl', whetstoneVersion: '"0.0.0"' },
  inject: [path.resolve('scripts/importMetaUrl.js')],
};

async function buildAll(): Promise<BuiltProgram> {
  // On a disk: what lies in memory is hidden from the sandbox with all of /dev.
  const place = os.tmpdir().startsWith('/dev/') ? '/tmp' : os.tmpdir();
  const folder = await mkdtemp(path.join(place, 'whetstone-program-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // `npm test` has just packaged it: that is what ships, and nobody need build it again.
  if (process.env['WHETSTONE_PACKAGED'] === '1')
    for (const part of programParts) copyFileSync(path.join('dist', part), path.join(folder, part));
  else await buildInto(folder);
  await writeFile(path.join(folder, 'package.json'), '{"type":"commonjs"}');
  return { cli: path.join(folder, 'cli.js') };
}

async function buildInto(folder: string): Promise<void> {
  const divided = { ...shared, plugins: [besideEachOther], outdir: folder };
  await Promise.all([
    ...besides.map((options) => build({ ...shared, ...options, outdir: folder })),
    build({ ...divided, entryPoints: { core: 'src/bundles/core.ts' } }),
    build({ ...divided, entryPoints: { cli: 'src/cli.ts' } }),
  ]);
}
