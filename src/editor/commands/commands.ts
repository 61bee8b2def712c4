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

/** What was asked in sessions and a new skill may be for. */
export interface NewSkillChoice {
  readonly asked: readonly string[] | undefined;
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

/** Whose labels of the judge's answers count: all that lie beside the tasks now, or the person's own alone. */
export interface LabelsChoice {
  readonly skillPath: string;
  readonly whose: 'all' | 'own';
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

type NoResult = Promise<void>;

/** Every command of Whetstone, once: what it is called with, and what it gives back. */
export interface Commands {
  'whetstone.refresh': () => NoResult;
  /** Asks for words where none are given. */
  'whetstone.filterSkills': (words?: string) => NoResult;
  'whetstone.clearFilter': () => NoResult;
  'whetstone.sortByAttention': () => NoResult;
  'whetstone.sortByName': () => NoResult;
  /** Undefined where the person did not go on. */
  'whetstone.optimize': (skill?: SkillChoice) => Promise<OptimizeResult | undefined>;
  'whetstone.chooseModel': (role?: RoleChoice) => NoResult;
  'whetstone.nightly': () => NoResult;
  'whetstone.installOsSchedule': () => NoResult;
  'whetstone.showLog': () => NoResult;
  'whetstone.showSkill': (skill?: SkillChoice) => NoResult;
  'whetstone.showAnswers': (task: TaskChoice) => NoResult;
  'whetstone.undo': (skill?: SkillChoice) => NoResult;
  'whetstone.tryDemo': () => NoResult;
  'whetstone.refillErrorBudget': (skill?: SkillChoice) => NoResult;
  'whetstone.gatherEvidence': (skill?: SkillChoice) => NoResult;
  'whetstone.certifyCandidate': (candidate: CandidateChoice) => NoResult;
  'whetstone.reviewCandidate': (candidate: CandidateChoice) => NoResult;
  'whetstone.showReport': (skill?: SkillChoice) => NoResult;
  'whetstone.checkConnection': () => NoResult;
  'whetstone.showQueue': () => NoResult;
  /** Gives whether programs are contained on this machine. */
  'whetstone.sandbox': () => Promise<SandboxState>;
  'whetstone.scriptEdits': () => Promise<boolean>;
  /** Gives the programs whose logins were forgotten. */
  'whetstone.forgetLogins': () => Promise<readonly string[]>;
  /** Gives the programs whose sessions may be read. */
  'whetstone.chooseSessions': () => Promise<readonly string[]>;
  'whetstone.showUsage': () => NoResult;
  'whetstone.showSessions': () => NoResult;
  'whetstone.allowSecrets': (files?: SecretsChoice) => NoResult;
  'whetstone.setApiKey': () => NoResult;
  /** Gives the document; undefined where it could not be made. */
  'whetstone.previewRequests': (preview?: PreviewChoice) => Promise<string | undefined>;
  'whetstone.draftTasks': (skill?: SkillChoice) => NoResult;
  'whetstone.addTask': (skill?: SkillChoice) => NoResult;
  'whetstone.importTasks': (skill?: SkillChoice) => NoResult;
  'whetstone.mineSessions': (skill?: SkillChoice) => NoResult;
  'whetstone.tryTask': (task?: TryChoice) => NoResult;
  'whetstone.confirmTask': (task: TaskChoice) => NoResult;
  'whetstone.confirmDrafts': (skill?: SkillChoice) => NoResult;
  'whetstone.reviewDrafts': (skill?: SkillChoice) => NoResult;
  'whetstone.enableTask': (task: TaskChoice) => NoResult;
  'whetstone.disableTask': (task: TaskChoice) => NoResult;
  'whetstone.editTask': (task: TaskChoice) => NoResult;
  'whetstone.showTask': (task: TaskChoice) => NoResult;
  'whetstone.moveTask': (task: TaskChoice) => NoResult;
  'whetstone.deleteTask': (task: TaskChoice) => NoResult;
  'whetstone.newTask': (skill?: SkillChoice) => NoResult;
  'whetstone.newSkill': (given?: NewSkillChoice) => NoResult;
  'whetstone.keepChecks': (task: TaskChoice) => NoResult;
  'whetstone.describeChecks': (checks: DescribeChoice) => NoResult;
  'whetstone.editPrompt': (skill?: SkillChoice) => NoResult;
  'whetstone.showNotes': (skill?: SkillChoice) => NoResult;
  'whetstone.resetNotes': (skill?: SkillChoice) => NoResult;
  'whetstone.forgetRejected': (skill?: SkillChoice) => NoResult;
  'whetstone.review': (skill?: SkillChoice, editId?: string) => NoResult;
  'whetstone.reviewAll': () => NoResult;
  'whetstone.acceptHunk': (edits?: EditChoice) => NoResult;
  'whetstone.rejectHunk': (edits?: EditChoice & WithReason) => NoResult;
  'whetstone.explainHunk': (edits?: EditChoice) => NoResult;
  'whetstone.nextEdit': (proposal?: ProposalChoice) => NoResult;
  'whetstone.previousEdit': (proposal?: ProposalChoice) => NoResult;
  'whetstone.acceptAllHunks': (proposal?: ProposalChoice) => NoResult;
  'whetstone.rejectAllHunks': (proposal?: ProposalChoice & WithReason) => NoResult;
  'whetstone.measureAccepted': (proposal?: ProposalChoice) => NoResult;
  'whetstone.measureProposal': (proposal?: ProposalChoice) => NoResult;
  'whetstone.reviewReport': (proposal?: ProposalChoice) => NoResult;
  'whetstone.showBaseChanges': (proposal?: ProposalChoice) => NoResult;
  'whetstone.acceptChecked': (skill?: SkillChoice) => NoResult;
  'whetstone.showVersion': (version: VersionChoice) => NoResult;
  'whetstone.compareVersion': (version: VersionChoice) => NoResult;
  'whetstone.restoreVersion': (version: VersionChoice) => NoResult;
  'whetstone.deleteSkillData': (skill?: SkillChoice) => NoResult;
  'whetstone.pauseRun': (skill?: SkillChoice) => NoResult;
  'whetstone.resumeRun': (run?: RunChoice) => NoResult;
  'whetstone.giveUpRun': (run?: RunChoice) => NoResult;
  'whetstone.showTrainingReport': (run?: RunChoice) => NoResult;
  'whetstone.exportReport': (run?: RunChoice & { readonly format?: 'html' | 'markdown' | undefined }) => NoResult;
  'whetstone.updateRecord': (skill?: SkillChoice) => NoResult;
  'whetstone.checkJudge': (skill?: SkillChoice) => NoResult;
  'whetstone.showJudge': (skill?: SkillChoice) => NoResult;
  'whetstone.labelAnswer': (label: LabelChoice) => NoResult;
  'whetstone.countLabels': (labels: LabelsChoice) => NoResult;
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
  'whetstone.showQueue',
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
  'whetstone.countLabels',
] as const satisfies readonly (keyof Commands)[];

export type WindowCommandId = (typeof windowCommandIds)[number];
export type CommandId = WindowCommandId | (typeof reviewCommandIds)[number];

/** What the handler of a command is given: the first of what it is called with, read and checked. */
export type ArgumentOf<Id extends CommandId> = Parameters<Commands[Id]>[0];

/** What a command gives back. */
export type ResultOf<Id extends CommandId> = Awaited<ReturnType<Commands[Id]>>;
