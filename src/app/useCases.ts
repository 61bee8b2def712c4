import type { ConsolidateAction } from '../engine/consolidate/consolidate.js';
import type { RunEvent } from '../engine/journal/runEvents.js';
import type { PresetName } from '../engine/runOptions.js';
import type { RunSummary } from '../engine/journal/runSummary.js';
import type { NoProposal } from '../engine/noProposal.js';
import type { Verdict } from '../gate/verdict/verdict.js';
import type { Range } from '../models/estimate.js';
import type { Proposal } from '../ports/proposal.js';
import type { Spend } from '../ports/spend.js';
import type { Side, Task } from '../tasks/task.js';
import type { ImportNote } from '../tasks/readers/importedTasks.js';
import type { TaskChange } from '../tasks/writeTasks.js';
import type { MeasurementStatus, WrittenVersion } from '../review/measurementStatus.js';
import type { EditDecision } from '../review/reviewDecision.js';
import type { ImportSource } from './tasks/taskFiles.js';
import type { ModelMethods } from './models/modelMethods.js';
import type { NightMethods } from './nights/nightly.js';
import type { OsScheduleMethods } from './osSchedule/osNightly.js';
import type { RebasedProposal } from './proposals/rebase.js';
import type { ResultMethods } from './results/resultMethods.js';
import type { TaskPlace, TaskProblem } from '../tasks/taskProblem.js';

/** Which skill, and where its state belongs. Both faces fill it in from what the person pointed at. */
export interface SkillRequest {
  /** A SKILL.md, or the folder that holds one. */
  readonly skillPath: string;
  readonly workspaceFolders: readonly string[];
  readonly explicitRoot?: string | undefined;
  /** The working directory, where a command line asks. */
  readonly cwd?: string | undefined;
}

/** How a run is to be made. */
export interface RunRequest extends SkillRequest {
  readonly preset: PresetName;
  /** Layers over the preset, weakest first, as nested objects; the workspace's own file is read by the use cases. */
  readonly settings: readonly Readonly<Record<string, unknown>>[];
  readonly purpose: 'optimize' | 'consolidate' | 'night';
  /** In an untrusted workspace nothing runs. */
  readonly trusted: boolean;
}

/** What is known before a cent is spent. */
export interface Preflight {
  readonly skillName: string;
  readonly skillPath: string;
  readonly tasks: {
    readonly training: number;
    readonly heldOut: number;
    readonly sealed: number;
    readonly drafts: number;
    readonly setAside: number;
  };
  readonly problems: readonly TaskProblem[];
  readonly models: Proposal['models'];
  readonly calls: { readonly low: number; readonly high: number };
  readonly tokens: { readonly low: number; readonly high: number };
  readonly usd: { readonly low: number; readonly high: number } | undefined;
  /** `measured`: told from earlier runs on the same target; a guess otherwise. */
  readonly minutes: { readonly low: number; readonly high: number; readonly measured: boolean };
  /** What each model costs and who says so, in words; and which of them nobody knows the price of. */
  readonly prices: readonly string[];
  /** What this task set can detect, in words. */
  readonly power: string;
  /** What the person should know: files the target cannot see, where state is kept, text that is redacted. */
  readonly notes: readonly string[];
}

export interface OptimizeResult {
  readonly runId: string;
  readonly summary: RunSummary;
  readonly proposal: Proposal | undefined;
  /** Where the proposal lies, for the person to find. */
  readonly proposalFile: string | undefined;
  readonly noProposal: NoProposal | undefined;
  /** What it did in the words of SkillOpt-Sleep, where it was a consolidation. */
  readonly action?: ConsolidateAction | undefined;
}

/** One task of an evaluation. */
export interface EvaluatedTask {
  readonly id: string;
  /** `none` for what counts for nothing: a draft, a disabled task, one that was set aside, one that is broken. */
  readonly split: Side | 'none';
  readonly hard: number | undefined;
  readonly soft: number | undefined;
  readonly checks: readonly { readonly name: string; readonly pass: boolean; readonly reason: string }[];
  /** Why there is no score, where there is none. */
  readonly invalid: string | undefined;
  readonly answer: string | undefined;
}

export interface EvaluationResult {
  readonly skillName: string;
  readonly model: string;
  readonly simulated: boolean;
  readonly tasks: readonly EvaluatedTask[];
  readonly totals: Readonly<
    Record<
      Side | 'all',
      {
        readonly hard: number | undefined;
        readonly soft: number | undefined;
        readonly n: number;
        readonly invalid: number;
      }
    >
  >;
  /** The same without the skill, where it was asked for. */
  readonly baseline: Omit<EvaluationResult, 'baseline' | 'summary' | 'notScored' | 'problems'> | undefined;
  /** Tasks that are there and were left out, each with the reason. */
  readonly notScored: readonly { readonly id: string; readonly reason: string }[];
  readonly problems: readonly TaskProblem[];
  readonly summary: RunSummary;
}

/** What a measurement may take; `usd` is undefined where a model has no known price. */
export interface MeasurePrice {
  readonly calls: Range;
  readonly usd: Range | undefined;
}

/** A version of a skill that was once on disk by our hand. */
export interface AdoptedVersion extends WrittenVersion {
  readonly at: number;
  /** Which document its hashes and texts are of: the skill, or the memory file where it changed that alone. */
  readonly document: 'skill' | 'memory';
  /** The files that it changed, that document's first. */
  readonly files: readonly string[];
}

/** An edit that was not taken, in a view. */
export interface RejectedEditView {
  /** What it said, or the text that it would have taken away. */
  readonly text: string;
  readonly reason: string;
}

/** Everything a view shows of one skill. Reading it starts no run and calls no model. */
export interface SkillOverview {
  readonly skillPath: string;
  readonly skillKey: string;
  readonly name: string;
  /** Undefined where there is no evals file. */
  readonly tasks:
    | {
        readonly training: readonly Task[];
        readonly heldOut: readonly Task[];
        readonly sealed: readonly Task[];
        readonly drafts: readonly Task[];
        readonly setAside: readonly { readonly task: Task; readonly reason: string }[];
        readonly disabled: readonly Task[];
        /** Those with an error: shown, never attempted, never a zero. */
        readonly broken: readonly { readonly task: Task; readonly reason: string }[];
        readonly problems: readonly TaskProblem[];
      }
    | undefined;
  readonly pending: PendingProposal | undefined;
  /** Whether the text that the skill holds was ever measured. */
  readonly measurement: MeasurementStatus;
  readonly runs: readonly RunSummary[];
  /** Runs that were cut off before their end, newest first: they can go on. */
  readonly unfinished: readonly RunSummary[];
  readonly history: readonly AdoptedVersion[];
  /** Edits of earlier runs that were not taken, newest first: they are not proposed again. */
  readonly rejected: readonly RejectedEditView[];
  /** What keeps the skill from being trained, as a sentence. */
  readonly trouble: string | undefined;
  /** Where in the task files it is, as far as that is known. */
  readonly troubleAt?: TaskPlace | undefined;
  readonly note: string | undefined;
}

/** A proposal that waits for the person. */
export interface PendingProposal {
  readonly proposal: Proposal;
  readonly file: string;
  /** Where its documents lie, by their paths in it; one that would lead out of the workspace has none. */
  readonly documentFiles: Readonly<Record<string, string>>;
  /** False: made elsewhere, not measured here; shown, never adopted unattended. */
  readonly own: boolean;
  /** True where the skill on disk is no longer the text the proposal was made from. */
  readonly stale: boolean;
  /** By edit id. */
  readonly decisions: Readonly<Record<string, EditDecision>>;
}

/** What an editor saved. */
export interface NotedChange {
  /** Which document of the proposal it is. */
  readonly documentPath: string;
  readonly before: string;
  readonly after: string;
  /** Empty where an accept was undone. */
  readonly edits: readonly string[];
  /** The proposal that it came from: deciding the last edit may have put it away before the file was saved. */
  readonly pending: Pick<PendingProposal, 'proposal' | 'own'>;
}

/** Watches a run while it goes on. Called for every event, in order. */
export type RunObserver = (event: RunEvent, summary: RunSummary) => void;

/** A prompt that people may change. */
export interface PromptListing {
  readonly name: string;
  readonly about: string;
  /** True where the workspace has its own version. */
  readonly own: boolean;
}

/**
 * What both faces of Whetstone can do, wired to files and models once. Every method that waits takes a signal; once it
 * is aborted the method rejects and every file is as it was.
 */
export interface UseCases extends ModelMethods, ResultMethods, NightMethods, OsScheduleMethods {
  preflight(request: RunRequest, signal: AbortSignal): Promise<Preflight>;
  /** Trains and stages a proposal. Never edits a skill. One run a skill across windows and processes. */
  optimize(
    request: RunRequest & {
      /**
       * Goes on with a run that was cut off (the newest one where none is named), with the options it began with. What
       * it asked before is stored and not paid for again. Refused where skill, tasks, prompts or models have changed.
       */
      readonly resume?: { readonly run: string | undefined } | undefined;
    },
    observe: RunObserver,
    signal: AbortSignal,
  ): Promise<OptimizeResult>;
  evaluate(
    request: RunRequest & { readonly withoutSkill: boolean; readonly only?: readonly string[] | undefined },
    observe: RunObserver,
    signal: AbortSignal,
  ): Promise<EvaluationResult>;
  /** Certifies one text of the skill against another; counts as a certification. */
  measure(
    request: RunRequest & { readonly before: string; readonly after: string },
    observe: RunObserver,
    signal: AbortSignal,
  ): Promise<Verdict>;
  /** What measuring would take, from the fewest passes to the most; undefined where it would ask no model at all. */
  measurePrice(
    request: RunRequest & { readonly before: string; readonly after: string },
    signal: AbortSignal,
  ): Promise<MeasurePrice | undefined>;
  /** Goes on with the certification of the pending proposal where a cap cut it off. */
  resumeCertification(request: RunRequest, observe: RunObserver, signal: AbortSignal): Promise<OptimizeResult>;
  /** The person's recorded decision to certify more often against the same held-out tasks. */
  refillErrorBudget(request: SkillRequest & { readonly reason: string }, signal: AbortSignal): Promise<void>;
  overview(request: SkillRequest, signal: AbortSignal): Promise<SkillOverview>;
  /** The report of a run (of the last that left one, where none is named) as Markdown; undefined where there is none. */
  report(
    request: SkillRequest & { readonly run?: string | undefined },
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /** A stored answer or text, by hash. */
  text(hash: string): Promise<string | undefined>;
  /** Writes the candidate (or, with `edits`, only those of it) to disk as one transaction. */
  adopt(
    request: SkillRequest & { readonly edits?: readonly string[] | undefined; readonly force?: boolean },
    signal: AbortSignal,
  ): Promise<AdoptedVersion>;
  /** Notes what the person accepted or rejected in the editor; rejected edits are not proposed again. */
  decide(
    request: SkillRequest & { readonly decisions: Readonly<Record<string, EditDecision>> },
    signal: AbortSignal,
  ): Promise<void>;
  /** Writes down that the editor itself changed the file from one text to another by accepting edits. */
  noteAdoption(request: SkillRequest & NotedChange, signal: AbortSignal): Promise<AdoptedVersion>;
  /** The person took decisions back; the proposal is staged again where the last of them had put it away. */
  reopen(
    request: SkillRequest & { readonly proposal: Proposal; readonly edits: readonly string[] },
    signal: AbortSignal,
  ): Promise<void>;
  /** Moves the pending proposal onto files that changed since it was made; it is not measured until it is gathered for. */
  rebase(request: SkillRequest, signal: AbortSignal): Promise<RebasedProposal>;
  reject(request: SkillRequest & { readonly reason?: string | undefined }, signal: AbortSignal): Promise<void>;
  undo(request: SkillRequest, signal: AbortSignal): Promise<AdoptedVersion>;
  restore(request: SkillRequest & { readonly version: string }, signal: AbortSignal): Promise<AdoptedVersion>;
  /** Adds, edits, enables, disables, confirms or removes a task; everything else in the files stays as it is. */
  changeTasks(request: SkillRequest & { readonly change: TaskChange }, signal: AbortSignal): Promise<void>;
  /** Brings in tasks of another tool; every field without an equal is reported. */
  importTasks(
    request: SkillRequest & { readonly source: ImportSource },
    signal: AbortSignal,
  ): Promise<{ readonly added: number; readonly notes: readonly ImportNote[] }>;
  prompts(request: SkillRequest, signal: AbortSignal): Promise<readonly PromptListing[]>;
  /** The file of the workspace's own version of a prompt, made as a copy of ours where there is none. */
  promptFile(request: SkillRequest & { readonly name: string }, signal: AbortSignal): Promise<string>;
  /** Lets the optimizer model draft tasks; gives their ids. Drafts count for nothing until confirmed. */
  draftTasks(
    request: SkillRequest & { readonly count: number; readonly trusted: boolean },
    signal: AbortSignal,
  ): Promise<readonly string[]>;
  spendThisMonth(): Promise<Spend>;
  spendToday(): Promise<Spend>;
}
