import type { AgentWork, FolderLeft, WorkTree } from './agentWork.js';
import type { WorkJudging } from './languageModel.js';
import type { ProgramRequest, ProgramResult } from './programs.js';

/** A program as it goes to another machine: its words and the bytes of its folder, and nothing of the machine it is from. */
export interface PortableProgram {
  /** Words of a command; of a module the file alone, which the other machine loads with its own Node. */
  readonly start:
    | { readonly kind: 'command'; readonly command: string; readonly arguments: readonly string[] }
    | { readonly kind: 'module'; readonly file: string };
  /** What its working directory is a copy of. */
  readonly folder: WorkTree | undefined;
  /** Hosts that it may reach from the sandbox. */
  readonly hosts: readonly string[];
}

/** What one start of it reads, and may take. */
export type ProgramTask = Pick<ProgramRequest, 'input' | 'timeLimitMs' | 'outputLimitBytes'>;

/** The programs of a worker: those whose hash is in its own list, in its sandbox and nowhere else. */
export interface WorkerPrograms {
  /** By their hashes. */
  readonly allowed: ReadonlySet<string>;
  run(program: PortableProgram, task: ProgramTask, signal: AbortSignal): Promise<ProgramResult>;
  /** Lets programs of the list look at what an agent left on another machine, one after the other in the same folder. */
  judge(folder: FolderToJudge, signal: AbortSignal): Promise<readonly ProgramResult[]>;
}

export interface FolderToJudge
  extends Pick<AgentWork, 'fixture' | 'skill' | 'judges'>, Pick<WorkJudging, 'skillsFolder'> {
  readonly left: FolderLeft;
}
