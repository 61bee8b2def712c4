import { mkdtemp, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProgramRequest, ProgramResult } from '../../src/ports/programs.js';
import type { Sandbox } from '../../src/ports/sandbox.js';
import { createSandbox, type PlacingSandbox, type SandboxParts } from '../../src/storage/programs/sandbox/sandbox.js';
import type { World } from '../../src/app/world.js';
import { isFull } from './few.js';
import { leaveOut, mustBeSetUp } from './leaveOut.js';
import { neverAborted } from './storage.js';

/** The helper process as it was bundled beside the tests; inside VS Code, where tests have no address, there is none. */
export const sandboxHelper =
  import.meta.url === undefined ? '' : path.join(path.dirname(fileURLToPath(import.meta.url)), 'sandbox.js');

/**
 * For a world of tests: where programs run. A start in the sandbox takes its time, so most tests have one with the full
 * numbers alone; those whose programs write down what they did elsewhere than in their folder never have.
 */
export function worldSandbox(where: 'sandbox' | 'bare' | undefined): Pick<World, 'sandbox'> {
  const wanted = sandboxHelper !== '' && (where === 'sandbox' || (isFull && where === undefined));
  return wanted && process.platform === 'linux' ? { sandbox: { helper: sandboxHelper } } : {};
}

/** A sandbox of this machine, with a home of its own to close. */
export function aSandbox(parts: Partial<SandboxParts> = {}): PlacingSandbox {
  return createSandbox({
    helper: sandboxHelper,
    environment: process.env,
    platform: process.platform,
    home: process.env['HOME'] ?? '/root',
    closed: [],
    ...parts,
  });
}

let usual: Sandbox | undefined;

/** One for all tests that need no parts of their own: a start takes as long as five programs in it. */
export function theSandbox(): Sandbox {
  usual ??= aSandbox();
  return usual;
}

/**
 * Goes on where there is a sandbox; elsewhere says what is missing, and fails where every test must run. On another
 * system than Linux there is none to test.
 */
export async function needsSandbox(context: Mocha.Context): Promise<void> {
  const state = await theSandbox().state(neverAborted);
  if (state.kind === 'available') return;
  const why = state.kind === 'missing' ? `Run: ${state.install}` : 'reason' in state ? state.reason : state.kind;
  const missing = `There is no sandbox here. ${why}`;
  if (process.platform === 'linux') mustBeSetUp(context, missing);
  else leaveOut(context, missing);
}

/** A shell script as a program. */
export function aScript(script: string, more: Partial<ProgramRequest> = {}): ProgramRequest {
  const limits = { timeLimitMs: 20_000, outputLimitBytes: 1_000_000 };
  return { command: '/bin/bash', arguments: ['-c', script], folder: undefined, input: '', ...limits, ...more };
}

/** What it wrote, both streams, and what the sandbox says of it. */
export function saidIn(result: ProgramResult): string {
  if (result.kind !== 'exited') return JSON.stringify(result);
  return [`${result.output}${result.errorOutput}`, ...(result.told ?? [])].join('\n');
}

/** A folder on a disk: what lies in memory is hidden from the sandbox with all of /dev. */
export async function onDisk<T>(place: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await realpath(await mkdtemp(path.join(place, 'whetstone-test-')));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
