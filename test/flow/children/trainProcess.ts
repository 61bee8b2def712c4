// A training run in a process of its own, and what it leaves behind where it is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import type { TestWorkspace } from '../../builders/aWorkspace.js';
import type { TrainOrder } from './trainChild.js';

type Home = Pick<TestWorkspace, 'home'>;

/** Runs `trainChild.ts` as this script with an order, to its end or until it is killed. */
export async function runTraining(script: string, order: TrainOrder) {
  const child = spawn(process.execPath, [script, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let complaints = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  await once(child, 'close');
  return { code: child.exitCode, signal: child.signalCode, said, complaints };
}

/** Where a child notes its calls. */
export function callLogIn({ home }: Home): string {
  return path.join(home, 'calls.log');
}

export function callsIn(workspace: Home): readonly string[] {
  const file = callLogIn(workspace);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

/** By the name of their files; a reply whose file is still a draft was never promised to anybody. */
export function storedReplies({ home }: Home): ReadonlySet<string> {
  const folder = path.join(home, 'state', 'replies');
  if (!existsSync(folder)) return new Set();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.basename(file));
  return new Set(
    names.filter((name) => /^[0-9a-f]{64}\.json$/u.test(name)).map((name) => name.slice(0, -'.json'.length)),
  );
}

const scripts = new Map<string, Promise<string>>();

/** The child, bundled once into a folder of this run. */
export function trainingScript(): Promise<string> {
  return childScript('trainChild');
}

/** Any file beside this one that is a process of its own. */
export function childScript(name: string): Promise<string> {
  const script = scripts.get(name) ?? bundled(name);
  scripts.set(name, script);
  return script;
}

async function bundled(name: string): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'whetstone-train-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = path.join(folder, 'train.mjs');
  await build({
    entryPoints: [path.resolve(`test/flow/children/${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    loader: { '.md': 'text', '.child.cjs': 'text' },
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'warning',
  });
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  return outfile;
}
