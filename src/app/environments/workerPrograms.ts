import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { PortableProgram, WorkerPrograms } from '../../ports/workerPrograms.js';
import type { ProgramResult, Programs } from '../../ports/programs.js';
import type { SandboxState } from '../../ports/sandbox.js';
import { workJudge } from '../../models/agents/work/workJudge.js';
import { readAllowedPrograms } from '../../storage/programs/allowedPrograms.js';
import { moduleProgram } from '../../storage/programs/moduleProgram.js';
import { inOwnedFolder } from '../../storage/programs/ownedFolder.js';
import { temporaryFolder } from '../../storage/programs/sandbox/sandbox.js';
import { writeTree } from '../../storage/programs/workplace/workTree.js';
import { noSandboxReason } from '../../wording/programs/containment.js';
import type { SandboxWorld } from '../world.js';
import { agentWorkplaces } from './agentWorkplaces.js';
import { sandboxHere } from './containedPrograms.js';

/**
 * The programs that a worker runs: those of the list, in the sandbox of this machine. Where there is none it runs none, and
 * says why.
 */
export async function workerPrograms(
  world: SandboxWorld,
  file: string,
  signal: AbortSignal,
): Promise<WorkerPrograms | { readonly why: string }> {
  const allowed = await readAllowedPrograms(file, world.platform);
  const { sandbox, state } = await sandboxHere(world, signal);
  if (state.kind !== 'available' || sandbox === undefined) return { why: whyNone(state) };
  const workplaces = agentWorkplaces(world, () => []);
  return {
    allowed,
    run: (program, task, abort) => runPortable(sandbox, { program, task }, abort),
    judge: ({ skillsFolder, left, ...work }, abort) =>
      workJudge({ skillsFolder }, { workplaces }).judge({ ...work, ...unused }, left, abort),
  };
}

/** No agent works here: what it may take and how it was told to plays no part in how it is judged. */
const unused = { mode: 'offered', limits: { maxTokens: 0, maxTurns: 0, timeLimitMs: 0 } } as const;

function whyNone(state: SandboxState): string {
  const reason = state.kind === 'available' ? '' : noSandboxReason(state);
  return `This worker takes no programs. ${reason}`.trim();
}

interface Start {
  readonly program: PortableProgram;
  readonly task: Parameters<WorkerPrograms['run']>[1];
}

/** Its folder is laid down anew for every start, and is gone afterwards; what runs has a copy of it. */
export async function runPortable(
  programs: Programs,
  { program, task }: Start,
  signal: AbortSignal,
): Promise<ProgramResult> {
  const { start, folder: tree, hosts } = program;
  const words =
    start.kind === 'module' ? moduleProgram(start.file) : { command: start.command, arguments: start.arguments };
  const reach = hosts.length === 0 ? {} : { reach: { hosts } };
  return inOwnedFolder(await temporaryFolder(), 'whetstone-job-', async ({ path: place }) => {
    const folder = tree === undefined ? undefined : path.join(place, 'folder');
    if (folder !== undefined && tree !== undefined) {
      await mkdir(folder, { mode: 0o700 });
      await writeTree(tree, folder);
    }
    const { input, timeLimitMs, outputLimitBytes } = task;
    return programs.run({ ...words, ...reach, folder, input, timeLimitMs, outputLimitBytes }, signal);
  });
}
