import type { SandboxState } from '../../ports/sandbox.js';
import type { OptimizeResult } from '../../app/runs/optimize.js';

/** A skill, by the path of its SKILL.md; undefined: the one in front of the person, or they are asked. */
export type SkillChoice = string | undefined;

export interface TaskChoice {
  readonly skillPath: string;
  readonly taskId: string;
  /** What of an attempt at it is brought into sight. */
  readonly place?: AttemptPlace | undefined;
}

/** A kept attempt, by its key, and in it one of its steps, from 0, or what it changed. */
export interface AttemptPlace {
  readonly attempt: string;
  readonly at?: number | 'changes' | undefined;
}

/** A task to be tried; what is missing the person is asked for. */
export interface TryChoice {
  readonly skillPath: SkillChoice;
  readonly taskId?: string | undefined;
}

export interface VersionChoice {
  readonly skillPath: string;
  readonly version: string;
}

/** The role that a model is chosen for; undefined: the person is asked. */
export type RoleChoice = 'target' | 'optimizer' | 'judge' | undefined;

/** What a run would send: to be read, or as it goes over the wire. */
export interface PreviewChoice {
  readonly skillPath: SkillChoice;
  readonly as?: 'text' | 'json' | undefined;
}

/** A skill, and one task of it where only that is meant. */
export interface DescribeChoice {
  readonly skillPath: SkillChoice;
  readonly taskId?: string | undefined;
}

/** Files that agents would be given, by the hashes of their contents; without them all that hold what looks like a secret. */
export interface SecretsChoice {
  readonly skillPath: SkillChoice;
  readonly hashes?: readonly string[] | undefined;
}

/** A run of a skill; the last one that left a report where none is named. */
export interface RunChoice {
  readonly skillPath: SkillChoice;
  readonly runId?: string | undefined;
}

/** An answer that a judge graded, by its id, and what the person says of it. */
export interface LabelChoice {
  readonly skillPath: string;
  readonly id: string;
  readonly label: 'pass' | 'fail' | 'skip' | 'back' | 'stop';
}

/** A candidate of the waiting proposal, by its name. */
export interface CandidateChoice {
  readonly skillPath: string;
  readonly candidate: string;
}

/** Edits of a proposal, by the change that a lens or a thread stands at, or by their ids; undefined: at the cursor. */
export type EditChoice =
  | { readonly candidate: string; readonly key: string }
  | { readonly candidate: string; readonly name: string }
  | { readonly skillPath: string; readonly editId: string }
  | { readonly skillPath: string; readonly edits: readonly string[] }
  | undefined;

/** A whole proposal, by one of its documents or by its skill; undefined: the one in front of the person. */
export type ProposalChoice = { readonly candidate: string } | { readonly skillPath: string } | SkillChoice;

/** Why edits are rejected; without it the person is asked. */
export interface WithReason {
  readonly reason?: string | undefined;
}

type Nothing = Promise<void>;

/** Every command of Whetstone, once: what it is called with, and what it gives back. */
export interface Commands {
  'whetstone.refresh': () => Nothing;
  /** Asks for words where none are given. */
  'whetstone.filterSkills': (words?: string) => Nothing;
  'whetstone.clearFilter': () => Nothing;
  'whetstone.sortByAttention': () => Nothing;
  'whetstone.sortByName': () => Nothing;
  /** Undefined where the person did not go on. */
  'whetstone.optimize': (skill?: SkillChoice) => Promise<OptimizeResult | undefined>;
  'whetstone.chooseModel': (role?: RoleChoice) => Nothing;
  'whetstone.nightly': () => Nothing;
  'whetstone.installOsSchedule': () => Nothing;
  'whetstone.showLog': () => Nothing;
  'whetstone.showSkill': (skill?: SkillChoice) => Nothing;
  'whetstone.showAnswers': (task: TaskChoice) => Nothing;
  'whetstone.undo': (skill?: SkillChoice) => Nothing;
  'whetstone.tryDemo': () => Nothing;
  'whetstone.refillErrorBudget': (skill?: SkillChoice) => Nothing;
  'whetstone.gatherEvidence': (skill?: SkillChoice) => Nothing;
  'whetstone.certifyCandidate': (candidate: CandidateChoice) => Nothing;
  'whetstone.reviewCandidate': (candidate: CandidateChoice) => Nothing;
  'whetstone.showReport': (skill?: SkillChoice) => Nothing;
  'whetstone.checkConnection': () => Nothing;
  /** Gives whether programs are contained on this machine. */
  'whetstone.sandbox': () => Promise<SandboxState>;
  'whetstone.scriptEdits': () => Promise<boolean>;
  /** Gives the programs whose logins were forgotten. */
  'whetstone.forgetLogins': () => Promise<readonly string[]>;
  /** Gives the programs whose sessions may be read. */
  'whetstone.chooseSessions': () => Promise<readonly string[]>;
  'whetstone.showUsage': () => Nothing;
  'whetstone.showSessions': () => Nothing;
  'whetstone.allowSecrets': (files?: SecretsChoice) => Nothing;
  'whetstone.setApiKey': () => Nothing;
  /** Gives the document; undefined where it could not be made. */
  'whetstone.previewRequests': (preview?: PreviewChoice) => Promise<string | undefined>;
  'whetstone.draftTasks': (skill?: SkillChoice) => Nothing;
  'whetstone.addTask': (skill?: SkillChoice) => Nothing;
  'whetstone.importTasks': (skill?: SkillChoice) => Nothing;
  'whetstone.mineSessions': (skill?: SkillChoice) => Nothing;
  'whetstone.tryTask': (task?: TryChoice) => Nothing;
  'whetstone.confirmTask': (task: TaskChoice) => Nothing;
  'whetstone.confirmDrafts': (skill?: SkillChoice) => Nothing;
  'whetstone.reviewDrafts': (skill?: SkillChoice) => Nothing;
  'whetstone.enableTask': (task: TaskChoice) => Nothing;
  'whetstone.disableTask': (task: TaskChoice) => Nothing;
  'whetstone.editTask': (task: TaskChoice) => Nothing;
  'whetstone.showTask': (task: TaskChoice) => Nothing;
  'whetstone.moveTask': (task: TaskChoice) => Nothing;
  'whetstone.deleteTask': (task: TaskChoice) => Nothing;
  'whetstone.newTask': (skill?: SkillChoice) => Nothing;
  'whetstone.newSkill': () => Nothing;
  'whetstone.keepChecks': (task: TaskChoice) => Nothing;
  'whetstone.describeChecks': (checks: DescribeChoice) => Nothing;
  'whetstone.editPrompt': (skill?: SkillChoice) => Nothing;
  'whetstone.showNotes': (skill?: SkillChoice) => Nothing;
  'whetstone.resetNotes': (skill?: SkillChoice) => Nothing;
  'whetstone.forgetRejected': (skill?: SkillChoice) => Nothing;
  'whetstone.review': (skill?: SkillChoice, editId?: string) => Nothing;
  'whetstone.reviewAll': () => Nothing;
  'whetstone.acceptHunk': (edits?: EditChoice) => Nothing;
  'whetstone.rejectHunk': (edits?: EditChoice & WithReason) => Nothing;
  'whetstone.explainHunk': (edits?: EditChoice) => Nothing;
  'whetstone.nextEdit': (proposal?: ProposalChoice) => Nothing;
  'whetstone.previousEdit': (proposal?: ProposalChoice) => Nothing;
  'whetstone.acceptAllHunks': (proposal?: ProposalChoice) => Nothing;
  'whetstone.rejectAllHunks': (proposal?: ProposalChoice & WithReason) => Nothing;
  'whetstone.measureAccepted': (proposal?: ProposalChoice) => Nothing;
  'whetstone.measureProposal': (proposal?: ProposalChoice) => Nothing;
  'whetstone.reviewReport': (proposal?: ProposalChoice) => Nothing;
  'whetstone.showBaseChanges': (proposal?: ProposalChoice) => Nothing;
  'whetstone.acceptChecked': (skill?: SkillChoice) => Nothing;
  'whetstone.showVersion': (version: VersionChoice) => Nothing;
  'whetstone.compareVersion': (version: VersionChoice) => Nothing;
  'whetstone.restoreVersion': (version: VersionChoice) => Nothing;
  'whetstone.deleteSkillData': (skill?: SkillChoice) => Nothing;
  'whetstone.pauseRun': (skill?: SkillChoice) => Nothing;
  'whetstone.resumeRun': (run?: RunChoice) => Nothing;
  'whetstone.giveUpRun': (run?: RunChoice) => Nothing;
  'whetstone.showTrainingReport': (run?: RunChoice) => Nothing;
  'whetstone.exportReport': (run?: RunChoice & { readonly format?: string | undefined }) => Nothing;
  'whetstone.updateRecord': (skill?: SkillChoice) => Nothing;
  'whetstone.checkJudge': (skill?: SkillChoice) => Nothing;
  'whetstone.showJudge': (skill?: SkillChoice) => Nothing;
  'whetstone.labelAnswer': (label: LabelChoice) => Nothing;
}

/** The commands that the review registers itself, once it is open. */
export const reviewCommandIds = [
  'whetstone.review',
  'whetstone.reviewAll',
  'whetstone.acceptHunk',
  'whetstone.rejectHunk',
  'whetstone.explainHunk',
  'whetstone.nextEdit',
  'whetstone.previousEdit',
  'whetstone.acceptAllHunks',
  'whetstone.rejectAllHunks',
  'whetstone.measureAccepted',
  'whetstone.measureProposal',
  'whetstone.reviewReport',
  'whetstone.showBaseChanges',
] as const satisfies readonly (keyof Commands)[];

/** The commands that are there as soon as the window is. */
export const windowCommandIds = [
  'whetstone.refresh',
  'whetstone.filterSkills',
  'whetstone.clearFilter',
  'whetstone.sortByAttention',
  'whetstone.sortByName',
  'whetstone.optimize',
  'whetstone.chooseModel',
  'whetstone.nightly',
  'whetstone.installOsSchedule',
  'whetstone.showLog',
  'whetstone.showSkill',
  'whetstone.showAnswers',
  'whetstone.undo',
  'whetstone.tryDemo',
  'whetstone.refillErrorBudget',
  'whetstone.gatherEvidence',
  'whetstone.certifyCandidate',
  'whetstone.reviewCandidate',
  'whetstone.showReport',
  'whetstone.checkConnection',
  'whetstone.sandbox',
  'whetstone.scriptEdits',
  'whetstone.forgetLogins',
  'whetstone.chooseSessions',
  'whetstone.showUsage',
  'whetstone.showSessions',
  'whetstone.allowSecrets',
  'whetstone.setApiKey',
  'whetstone.previewRequests',
  'whetstone.draftTasks',
  'whetstone.addTask',
  'whetstone.importTasks',
  'whetstone.mineSessions',
  'whetstone.tryTask',
  'whetstone.confirmTask',
  'whetstone.confirmDrafts',
  'whetstone.reviewDrafts',
  'whetstone.enableTask',
  'whetstone.disableTask',
  'whetstone.editTask',
  'whetstone.showTask',
  'whetstone.moveTask',
  'whetstone.deleteTask',
  'whetstone.newTask',
  'whetstone.newSkill',
  'whetstone.keepChecks',
  'whetstone.describeChecks',
  'whetstone.editPrompt',
  'whetstone.showNotes',
  'whetstone.resetNotes',
  'whetstone.forgetRejected',
  'whetstone.acceptChecked',
  'whetstone.showVersion',
  'whetstone.compareVersion',
  'whetstone.restoreVersion',
  'whetstone.deleteSkillData',
  'whetstone.pauseRun',
  'whetstone.resumeRun',
  'whetstone.giveUpRun',
  'whetstone.showTrainingReport',
  'whetstone.exportReport',
  'whetstone.updateRecord',
  'whetstone.checkJudge',
  'whetstone.showJudge',
  'whetstone.labelAnswer',
] as const satisfies readonly (keyof Commands)[];

export type WindowCommandId = (typeof windowCommandIds)[number];
export type CommandId = WindowCommandId | (typeof reviewCommandIds)[number];

/** What the handler of a command is given: the first of what it is called with, read and checked. */
export type Given<Id extends CommandId> = Parameters<Commands[Id]>[0];

/** What a command gives back. */
export type ResultOf<Id extends CommandId> = Awaited<ReturnType<Commands[Id]>>;
