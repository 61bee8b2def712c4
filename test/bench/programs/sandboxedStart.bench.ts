import { performance } from 'node:perf_hooks';
import type { Programs } from '../../../src/ports/programs.js';
import { nodePrograms } from '../../../src/storage/programs/nodePrograms.js';
import { aSandbox, aScript } from '../../builders/aSandbox.js';
import { neverAborted } from '../../builders/storage.js';

const rounds = 15;

/** What a start in the sandbox takes: against a start of the same program without it, of a shell and of Node. */
export async function run(): Promise<readonly object[]> {
  const sandbox = aSandbox();
  const began = performance.now();
  const state = await sandbox.state(neverAborted);
  const opened = performance.now() - began;
  if (state.kind !== 'available') return [{ name: 'there is no sandbox here', ratio: 0, limit: 1 }];
  const shell = { ...aScript('true'), command: '/bin/sh' }; // another shell may read start files of the person
  const node = { ...aScript(''), command: process.execPath, arguments: ['-e', '0'] };
  const bareShell = await fastest(nodePrograms, shell);
  const inShell = await fastest(sandbox, shell);
  const bareNode = await fastest(nodePrograms, node);
  const inNode = await fastest(sandbox, node);
  return [
    { name: 'a shell in the sandbox', ratio: inShell / bareShell, limit: 25, milliseconds: inShell, bare: bareShell },
    { name: 'Node in the sandbox', ratio: inNode / bareNode, limit: 5, milliseconds: inNode, bare: bareNode },
    { name: 'opening it, with the attempt to break out', ratio: opened / inNode, limit: 20, milliseconds: opened },
  ];
}

async function fastest(programs: Programs, request: Parameters<Programs['run']>[0]): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    await programs.run(request, neverAborted);
    times.push(performance.now() - began);
  }
  return Math.min(...times);
}
