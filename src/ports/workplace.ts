import type { AgentEnd, AgentFolders, AgentRun } from './agentPrograms.js';
import type { AgentWork, FolderLeft, WorkJudge, WorkLeft } from './agentWork.js';
import type { ProgramReach, ProgramResult } from './programs.js';
import type { SandboxState } from './sandbox.js';

/** Where agent programs do their work: a folder of its own for each attempt, which is gone afterwards. */
export interface Workplaces {
  /** What holds now; once there is a sandbox it costs nothing to ask again. */
  state(signal: AbortSignal): Promise<WorkplaceState>;
  /** Writes what the work starts from, with one commit of ours. Throws a `UserError` where there is no place for it here. */
  open(plan: WorkplacePlan, signal: AbortSignal): Promise<Workplace>;
}

/** What holds an agent on this machine. */
export type WorkplaceState =
  | { readonly kind: 'contained' }
  /** Nothing does: the person declared the whole machine one that is thrown away. To be said in the report. */
  | { readonly kind: 'throw-away' }
  | { readonly kind: 'none'; readonly sandbox: SandboxState };

export interface WorkplacePlan extends Pick<AgentWork, 'fixture' | 'skill' | 'canaries'> {
  /** Where the program reads skills, from the work folder: `.claude/skills`. */
  readonly skillsFolder: string;
}

/** One attempt's place. The order is: run, left, judge, close; `close` in every case. */
export interface Workplace {
  readonly folders: AgentFolders;
  /**
   * Runs the agent until it ends or the signal is aborted, which throws the signal's reason. Nothing that it started is left
   * then. The variable among the canaries is in its environment.
   */
  run(run: WorkRun, signal: AbortSignal): Promise<AgentEnd>;
  /** What there is to see before anything judges it. `said`: all that the agent told, which is searched for canaries too. */
  left(said: readonly string[], signal: AbortSignal): Promise<LeftBehind>;
  /** What was changed in the work folder; undefined where it is more than may go to another machine, or cannot be read. */
  changes(signal: AbortSignal): Promise<FolderLeft | undefined>;
  /** In the place of `run` and `left`: puts what an agent left elsewhere into the work folder. */
  take(left: FolderLeft): Promise<void>;
  /** Runs in the work folder as it is by then, with a home of its own, without network. */
  judge(judge: WorkJudge, signal: AbortSignal): Promise<ProgramResult>;
  close(): Promise<void>;
}

export interface WorkRun extends AgentRun {
  /** Hosts and ports for this start alone; `secrets` are variables whose value the agent never sees where it is contained. */
  readonly reach: ProgramReach;
}

/** `touched` has one entry for each refused connection to the planted host. */
export interface LeftBehind extends Pick<WorkLeft, 'diff' | 'notShown' | 'changed' | 'touched' | 'refusedHosts'> {
  /** Whether there was more than can be looked through: no honest work leaves that much. */
  readonly tooMuch: boolean;
}
