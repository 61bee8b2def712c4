import type { ConsolidateAction } from '../../engine/consolidate/consolidate.js';
import type { NothingCause } from '../../engine/noProposal.js';
import type { RunEvent } from '../../engine/journal/runEvents.js';
import type { RunSummary } from '../../engine/journal/runSummary.js';
import type { SideResult, Verdict } from '../../gate/verdict/verdict.js';
import type { SpendCap } from '../../ports/spend.js';
import type { Decision } from '../../schedule/dueDecision.js';
import type { Blocker, StopName } from '../../schedule/preconditions.js';
import type { ScheduleSettings } from '../../schedule/scheduleSettings.js';
import type { ScheduleState } from '../../schedule/scheduleState.js';
import type { Preflight, RunRequest } from '../useCases.js';

/** Who started a night: a window at its time, a person at a terminal or in the menu, or the machine's own schedule. */
export type NightStarter = 'window' | 'person' | 'operating-system';

/** What a night is to do. */
export interface NightRequest extends Omit<RunRequest, 'skillPath' | 'purpose'> {
  readonly skills: readonly string[];
  /** Train also where nothing changed since the last night. */
  readonly force: boolean;
  /** Skills that are left alone, by name or by path. */
  readonly excluded?: readonly string[];
  /** Skills, by name, whose certified proposals are adopted without asking; nothing of the kind unless it is named. */
  readonly autoAdopt?: readonly string[];
  readonly onBattery?: ScheduleSettings['onBattery'];
  /** Files with unsaved changes in an editor. */
  readonly unsaved?: readonly string[];
  /** What the night as a whole may use, beside the caps of each run. */
  readonly cap?: SpendCap;
  /** `given`: a person started it with the model in plain sight. `stored`: only with the consent that is on record. */
  readonly consent?: 'given' | 'stored';
  readonly startedBy?: NightStarter;
  /** The folders that the schedule is about; the night is written down under them. */
  readonly folders?: readonly string[];
}

export interface NightSpend {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number | undefined;
}

/** What a night did to one skill. */
export interface NightSkillResult {
  readonly skillPath: string;
  readonly name: string;
  readonly outcome: 'proposed' | 'adopted' | 'nothing' | 'skipped' | 'failed';
  /** Always a sentence: no zero without its reason. */
  readonly reason: string;
  /** Why nothing is proposed, where nothing is. */
  readonly cause: NothingCause | undefined;
  /** What kept the skill out of the night, where something did. */
  readonly stop: StopName | undefined;
  /** In the words of SkillOpt-Sleep. */
  readonly action: ConsolidateAction | undefined;
  readonly before: SideResult['score'];
  readonly after: SideResult['score'];
  readonly verdict: Verdict['kind'] | undefined;
  readonly runId: string | undefined;
  readonly spend: NightSpend;
}

export interface NightResult {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly startedBy: NightStarter;
  /** What kept the whole night from running; empty where it ran. */
  readonly stops: readonly Blocker[];
  readonly skills: readonly NightSkillResult[];
  readonly spend: NightSpend;
}

/** Watches a night: told which skills are trained before the first of them is, then of every event. */
export interface NightWatcher {
  readonly began: (skills: readonly string[]) => void;
  readonly observe: (skillPath: string, event: RunEvent, summary: RunSummary) => void;
}

/** What the next night would do, before anything is spent. */
export interface NightPlan {
  readonly train: readonly { readonly skillPath: string; readonly name: string; readonly preflight: Preflight }[];
  readonly leftOut: readonly { readonly skillPath: string; readonly name: string; readonly stop: Blocker }[];
  readonly stops: readonly Blocker[];
  /** How the models are named; the simulated one says so. */
  readonly model: string;
  readonly simulated: boolean;
  readonly consented: boolean;
}

/** A night with the schedule that it belongs to. */
export interface ScheduledRequest extends NightRequest {
  readonly schedule: ScheduleSettings;
  readonly folders: readonly string[];
}

export interface NightLook {
  readonly decision: Decision;
  /** What the night did, where the decision was to run it. */
  readonly result: NightResult | undefined;
}

/** The nightly part of the use cases. */
export interface NightMethods {
  /** A night over these skills: each is trained if it has confirmed tasks and something changed. */
  night(request: NightRequest, watcher: NightWatcher, signal: AbortSignal): Promise<NightResult>;
  /** What a night would train, leave out and cost. Spends nothing and writes nothing. */
  planNight(request: NightRequest, signal: AbortSignal): Promise<NightPlan>;
  /** One look at the wall clock: decides with no other process in between, and runs the night where it is due. */
  tick(request: ScheduledRequest, watcher: NightWatcher, signal: AbortSignal): Promise<NightLook>;
  /** The person's answer about a night that was slept through. */
  answerMissed(
    request: ScheduledRequest & { readonly answer: 'run' | 'skip' },
    watcher: NightWatcher,
    signal: AbortSignal,
  ): Promise<NightLook>;
  /** The operating system started a night: runs the latest unless somebody has dealt with it. */
  firedNight(request: ScheduledRequest, watcher: NightWatcher, signal: AbortSignal): Promise<NightLook>;
  /** What the schedule of these folders remembers. */
  scheduleState(folders: readonly string[]): Promise<ScheduleState | undefined>;
  /** The nights of these folders, whoever started them, newest first. */
  lastNights(folders: readonly string[]): Promise<readonly NightResult[]>;
  /** Writes down that the person agreed to send these folders' tasks to the chosen models. */
  allowModels(folders: readonly string[], signal: AbortSignal): Promise<void>;
}
