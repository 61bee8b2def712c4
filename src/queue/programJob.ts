import type { FolderLeft, WorkJudge } from '../ports/agentWork.js';
import type { ProgramResult } from '../ports/programs.js';
import type { FolderToJudge, PortableProgram, ProgramTask, WorkerPrograms } from '../ports/workerPrograms.js';
import { programHash } from '../storage/programs/portableProgram.js';
import { fetchTree, sendTree, type BlobParts } from './blobs.js';
import type { JudgingJob, ProgramJob } from './job.js';
import type { LeftForm } from './programForm.js';

/** A program as a job holds it: its folder by its address. */
export async function programToSend(
  { start, folder, hosts }: PortableProgram,
  task: ProgramTask,
  parts: BlobParts & { readonly expiresAt: number },
): Promise<Pick<ProgramJob, 'program' | 'task'>> {
  const at = folder === undefined ? {} : { folder: await sendTree(folder, parts) };
  const { input, timeLimitMs, outputLimitBytes } = task;
  return {
    program: { start: plainStart(start), ...at, hosts: [...hosts] },
    task: { input, timeLimitMs, outputLimitBytes },
  };
}

function plainStart(start: PortableProgram['start']): ProgramJob['program']['start'] {
  return start.kind === 'module' ? start : { ...start, arguments: [...start.arguments] };
}

/** A folder that an agent left, and what looks at it, as a job holds them. */
export async function judgingToSend(
  { fixture, skill, skillsFolder, left, judges }: FolderToJudge,
  parts: BlobParts & { readonly expiresAt: number },
): Promise<Pick<JudgingJob, 'judging'>> {
  const brought = async ({ command, arguments: words, timeLimitMs, brings }: WorkJudge) => ({
    command,
    arguments: [...words],
    timeLimitMs,
    ...(brings === undefined ? {} : { brings: await sendTree(brings, parts) }),
  });
  return {
    judging: {
      fixture: await sendTree(fixture, parts),
      ...(skill === undefined ? {} : { skill: { name: skill.name, files: await sendTree(skill.files, parts) } }),
      skillsFolder,
      left: await leftToSend(left, parts),
      judges: await Promise.all(judges.map(brought)),
    },
  };
}

export async function leftToSend(
  { changed, deleted }: FolderLeft,
  parts: BlobParts & { readonly expiresAt: number },
): Promise<LeftForm> {
  return { changed: await sendTree(changed, { ...parts, isAlone: true }), deleted: [...deleted] };
}

export async function fetchLeft({ changed, deleted }: LeftForm, parts: BlobParts): Promise<FolderLeft> {
  return { changed: await fetchTree(changed, parts), deleted };
}

/** What looks at a folder, as the list of a worker knows it. */
export function hashOfJudge({ command, arguments: words, brings }: WorkJudge): string {
  return programHash({ start: { kind: 'command', command, arguments: words }, folder: brings, hosts: [] });
}

interface RunParts extends BlobParts {
  readonly programs: WorkerPrograms | undefined;
}

type Run = (signal: AbortSignal) => Promise<readonly ProgramResult[]>;

/** What a job starts on a worker; undefined where one of its programs is none of those that the worker may run. */
export async function programToRun(
  job: Pick<ProgramJob, 'program' | 'task'> | Pick<JudgingJob, 'judging'>,
  { programs, ...parts }: RunParts,
): Promise<Run | undefined> {
  if (programs === undefined) return undefined;
  if ('judging' in job) return judgingToRun(job, { programs, ...parts });
  const { start, folder, hosts } = job.program;
  const tree = folder === undefined ? undefined : await fetchTree(folder, parts);
  const sent: PortableProgram = { start, folder: tree, hosts };
  if (!programs.allowed.has(programHash(sent))) return undefined;
  return async (signal) => [await programs.run(sent, job.task, signal)];
}

async function judgingToRun(
  { judging }: Pick<JudgingJob, 'judging'>,
  { programs, ...parts }: RunParts & { readonly programs: WorkerPrograms },
): Promise<Run | undefined> {
  const { fixture, skill, skillsFolder, left } = judging;
  const judges: readonly WorkJudge[] = await Promise.all(
    judging.judges.map(async ({ brings, ...judge }) => ({
      ...judge,
      brings: brings === undefined ? undefined : await fetchTree(brings, parts),
    })),
  );
  if (judges.some((judge) => !programs.allowed.has(hashOfJudge(judge)))) return undefined;
  const folder: FolderToJudge = {
    fixture: await fetchTree(fixture, parts),
    skill: skill === undefined ? undefined : { name: skill.name, files: await fetchTree(skill.files, parts) },
    skillsFolder,
    left: await fetchLeft(left, parts),
    judges,
  };
  return (signal) => programs.judge(folder, signal);
}
