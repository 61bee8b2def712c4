import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Workplace, Workplaces } from '../../../src/ports/workplace.js';
import { aWorkTree } from '../../builders/aWorkTree.js';
import { someWorkplaces } from '../../builders/someWorkplaces.js';
import { neverAborted } from '../../builders/storage.js';

const rounds = 5;
const calls = 5;
const slowMs = 400;

/**
 * What an attempt costs beside the bare program: the folder, the commit, the sandbox, what was left and the cleaning up,
 * for a program that asks a server five times and writes a file each time. Without judges, with the helper started.
 */
export async function run(): Promise<readonly object[]> {
  const workplaces = someWorkplaces();
  const state = await workplaces.state(neverAborted);
  if (state.kind !== 'contained') return [{ name: 'there is no sandbox here', ratio: 0, limit: 1 }];
  const [slow, quick] = [await measured(workplaces, slowMs), await measured(workplaces, 0)];
  return [
    { name: `an attempt, ${slowMs} ms a call`, ratio: slow.attempt / slow.bare, limit: 1.3, ...slow },
    { name: 'an attempt, 0 ms a call', ratio: quick.attempt / quick.bare, limit: 30, ...quick },
  ];
}

async function measured(workplaces: Workplaces, ms: number) {
  const server = http.createServer((_, response) => void wait(ms).then(() => response.end('ok')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const script = `const fs = require('fs');
    (async () => { for (let n = 0; n < ${calls}; n++) fs.writeFileSync(n + '.txt', await (await fetch('http://127.0.0.1:${port}/')).text()); })()`;
  const times = {
    attempt: [] as number[],
    bare: [] as number[],
    opening: [] as number[],
    running: [] as number[],
    looking: [] as number[],
  };
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    const place = await workplaces.open(plan, neverAborted);
    times.opening.push(performance.now() - began);
    await inPlace(place, { script, port }, times);
    await place.close();
    times.attempt.push(performance.now() - began);
    times.bare.push(await bareRun(script));
  }
  server.close();
  const { attempt, bare, opening, running, looking } = times;
  return {
    attempt: Math.min(...attempt),
    bare: Math.min(...bare),
    opening: Math.min(...opening),
    running: Math.min(...running),
    looking: Math.min(...looking),
  };
}

async function inPlace(
  place: Workplace,
  { script, port }: { readonly script: string; readonly port: number },
  times: { readonly running: number[]; readonly looking: number[] },
): Promise<void> {
  const began = performance.now();
  await place.run(
    {
      program: { path: process.execPath, command: process.execPath, before: [] },
      start: () => ({ arguments: ['-e', script], environment: {}, input: '' }),
      onLine: () => undefined,
      outputLimitBytes: 1_000_000,
      reach: { ports: [port] },
    },
    neverAborted,
  );
  const ran = performance.now();
  times.running.push(ran - began);
  const { changed } = await place.left([], neverAborted);
  if (changed.length !== calls) throw new Error(`${changed.length} files were written instead of ${calls}`);
  times.looking.push(performance.now() - ran);
}

async function bareRun(script: string): Promise<number> {
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'whetstone-bench-'));
  const began = performance.now();
  const child = spawn(process.execPath, ['-e', script], { cwd, stdio: 'ignore' });
  await new Promise((resolve) => child.once('close', resolve));
  const took = performance.now() - began;
  await rm(cwd, { recursive: true });
  return took;
}

const sources = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [`src/part${index}.ts`, `export const part = ${index};\n`.repeat(40)]),
);
const plan = {
  fixture: aWorkTree({ ...sources, 'package.json': '{}\n', '.gitignore': 'dist/\n' }),
  skill: { name: 'dates', files: aWorkTree({ 'SKILL.md': '---\nname: dates\n---\nWrite dates.\n' }) },
  skillsFolder: '.agents/skills',
};
