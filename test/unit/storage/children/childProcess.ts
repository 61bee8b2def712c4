import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import type { Deeds } from './child.js';

let script: Promise<string> | undefined;

/** A real process of its own that does a deed of `child.ts`. */
export interface Child {
  readonly process: ChildProcess;
  /** Resolves with the first line it says. */
  readonly said: Promise<unknown>;
  /** Resolves when it is gone, with the signal that ended it, if one did. */
  readonly gone: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export async function startChild<Deed extends keyof Deeds>(
  deed: Deed,
  order: Deeds[Deed],
  options: { readonly uid?: number } = {},
): Promise<Child> {
  script ??= bundle();
  const child = spawn(process.execPath, [await script, deed, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: os.tmpdir(),
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  let output = '';
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const gone = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode }));
  const said = new Promise<unknown>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('\n')) resolve(JSON.parse(output.slice(0, output.indexOf('\n'))));
    });
    child.on('close', () => reject(new Error(`The child said nothing: ${complaints}`)));
  });
  said.catch(() => undefined);
  return { process: child, said, gone };
}

/** Once for all tests of a process, and gone with it. */
async function bundle(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'whetstone-child-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755); // a child may run as another user
  const outfile = path.join(folder, 'child.mjs');
  await build({
    entryPoints: [path.resolve('test/unit/storage/children/child.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Packages in CommonJS ask for modules of Node by `require`.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    target: 'node20.19',
    logLevel: 'warning',
  });
  return outfile;
}
