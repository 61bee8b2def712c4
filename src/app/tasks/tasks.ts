import type { Side, Task } from '../../tasks/task.js';
import { openSkill, type OpenSkill, type SkillRequest } from '../openSkill.js';
import { refuseNamedTarget } from '../models/agentTasks.js';
import { refuseUntrusted } from '../runs/runStart.js';
import { tasksIn, type TaskInText } from '../../tasks/readers/tasksIn.js';
import type { TaskChange } from '../../tasks/writeTasks.js';
import type { TaskSource } from '../../tasks/makeTask.js';
import type { ToldSize } from '../runs/bound/toldSize.js';
import { draftSizeOf, draftTasks, type DraftWish } from './draftTasks.js';
import { agentTask, changedFileProblem, type AgentWish } from './agentTask.js';
import { addFixture, agentFixtures, dropFixture, fixtureNameProblem, type AgentFixtures } from './agentFixtures.js';
import { bringersOf } from '../../tasks/readers/whetstoneFile.js';
import { readSkillTasks, refuseTooFew } from './skillTasks.js';
import { changeTaskOrDraft, removeTaskOrDraft, restoreTaskOrDraft, type TakenOut } from './harvestedTasks.js';
import { importTasks, type ImportResult } from './taskFiles.js';
import type { ImportSource } from './readImport.js';
import {
  searchedForSecrets,
  secretsForAgents,
  type SearchedFolder,
  type SecretsForAgents,
  type SecretsToAllow,
} from '../environments/agentSecrets.js';
import { overviewOf } from '../results/overview.js';
import { openTexts } from '../../storage/files/contentStore.js';
import { moveTask } from './moveTask.js';
import { skillBringers } from './skillBringers.js';
import { broughtSkill, writeBroughtSkill, type BroughtSkill, type SkillWish } from './broughtSkill.js';
import { createSkill, descriptionProblem, nameProblem, type NewSkill } from './newSkill.js';
import { judgedBy, taskView, type TaskView } from './taskView.js';
import { userStore, type World } from '../world.js';

/** What a person does with the tasks of a skill. */
export interface TaskUseCases {
  /**
   * Adds, edits, enables, disables, confirms or removes a task; everything else in the files stays as it is. A draft out of a
   * session comes into them when it is confirmed.
   */
  changeTasks(request: SkillRequest & { readonly change: TaskChange }, signal: AbortSignal): Promise<void>;
  /** Throws where a run would have nothing to learn from, nothing to prove it on, or an unfit target. Writes nothing. */
  refuseWithoutTasks(request: SkillRequest): Promise<void>;
  /** Throws where the target that is named cannot attempt them: before anybody is asked for anything. Writes nothing. */
  refuseUnfitTarget(request: SkillRequest & { readonly only?: readonly string[] | undefined }): Promise<void>;
  /** What an answer to the task is judged by, a sentence each. */
  judgedBy(task: Task): readonly string[];
  /** Everything that is shown of one task, with the answers that are kept of it. Asks no model. */
  showTask(request: SkillRequest & { readonly task: string }): Promise<TaskView>;
  /** Puts a task, and those that go along with it, on another side; gives their ids. Refused where it would spoil a proof. */
  moveTask(
    request: SkillRequest & { readonly task: string; readonly side: Side },
    signal: AbortSignal,
  ): Promise<readonly string[]>;
  /** Deletes a task; what it gives back brings it back. */
  removeTask(request: SkillRequest & { readonly task: string }, signal: AbortSignal): Promise<TakenOut>;
  restoreTask(request: SkillRequest & { readonly removed: TakenOut }, signal: AbortSignal): Promise<void>;
  /** Writes a new skill with its first tasks, never over anything that is there; gives the path of its file. */
  createSkill(wanted: NewSkill, signal: AbortSignal): Promise<string>;
  /** The environments of a folder that bring the text of its first SKILL.md, by name. */
  skillBringers(folder: string): Promise<readonly string[]>;
  /** Asks such an environment for the text, which {@link writeBroughtSkill} writes once the person said yes. */
  broughtSkill(wish: SkillWish, signal: AbortSignal): Promise<BroughtSkill>;
  writeBroughtSkill(brought: BroughtSkill, signal: AbortSignal): Promise<string>;
  /** Why a text cannot be the name or the description of a skill; undefined where it can. */
  nameProblem(name: string): string | undefined;
  descriptionProblem(description: string): string | undefined;
  /** Where the tasks stand in the text of a task file; empty while it cannot be read. */
  tasksIn(text: string): readonly TaskInText[];
  /** Brings in tasks of another tool; every field without an equal is reported. */
  importTasks(request: SkillRequest & { readonly source: ImportSource }, signal: AbortSignal): Promise<ImportResult>;
  /**
   * Files that agents would be given and that hold what looks like a secret, without those that were allowed; with
   * `allowing` they are from now on, as they are, or those of them with these hashes.
   */
  agentSecrets(
    request: SkillRequest & { readonly allowing: SecretsToAllow },
    signal: AbortSignal,
  ): Promise<SecretsForAgents>;
  /** The folders that are searched for them; none where no task is for an agent. */
  searchedForSecrets(
    request: SkillRequest,
    signal: AbortSignal,
  ): Promise<{ readonly skillName: string; readonly folders: readonly SearchedFolder[] }>;
  /** What a new task for an agent can start from. Writes nothing. */
  agentFixtures(request: SkillRequest, signal: AbortSignal): Promise<AgentFixtures>;
  /** Why a text cannot be the name of such a folder; undefined where it can. */
  fixtureNameProblem(name: string): string | undefined;
  /** Makes an empty folder for agents to start from; gives it as tasks name it. */
  addFixture(request: SkillRequest & { readonly name: string }, signal: AbortSignal): Promise<string>;
  /** Takes such a folder back, where it is as empty as it was made. */
  dropFixture(request: SkillRequest & { readonly name: string }, signal: AbortSignal): Promise<void>;
  /** What a new task says of how an agent works on it, and what it is judged by; throws what is wrong. Writes nothing. */
  agentTask(
    request: SkillRequest & { readonly task: string; readonly wish: AgentWish },
    signal: AbortSignal,
  ): Promise<Pick<TaskSource, 'environment' | 'agent' | 'checks'>>;
  /** Why a text cannot name a file in the folder that an agent works in; undefined where it can. */
  changedFileProblem(file: string): string | undefined;
  /** Lets the optimizer model draft tasks; gives their ids. Drafts count for nothing until confirmed. */
  draftTasks(request: SkillRequest & DraftWish, signal: AbortSignal): Promise<readonly string[]>;
  /** What drafting them would take. */
  draftSize(request: SkillRequest & DraftWish, signal: AbortSignal): Promise<ToldSize>;
}

/** Wired to the files beside the skill that a request names, and to the optimizer model. */
export function createTaskUseCases(world: World): TaskUseCases {
  const open = (request: SkillRequest): Promise<OpenSkill> => openSkill(world, request, 'work');
  return {
    changeTasks: async (request, signal) => changeTaskOrDraft(await open(request), request.change, signal),
    async refuseWithoutTasks(request) {
      const skill = await openSkill(world, request, 'look');
      const tasks = await readSkillTasks(skill);
      const brings = tasks !== undefined && bringersOf(tasks.read.environments, 'items').length > 0;
      if (!brings) await refuseTooFew(skill, tasks); // what an environment brings is known at the start of a run
      if (tasks !== undefined) refuseNamedTarget(world, tasks, skill.places);
    },
    async refuseUnfitTarget({ only, ...request }) {
      const skill = await openSkill(world, request, 'look');
      const tasks = await readSkillTasks(skill);
      if (tasks !== undefined) refuseNamedTarget(world, tasks, { ...skill.places, only });
    },
    judgedBy,
    async showTask(request) {
      const skill = await openSkill(world, request, 'look');
      const texts = openTexts(await userStore(world, 'look'));
      return taskView(skill, await overviewOf(skill), { id: request.task, texts });
    },
    moveTask: async (request) => moveTask(await open(request), { id: request.task, side: request.side }),
    removeTask: async (request, signal) => removeTaskOrDraft(await open(request), request.task, signal),
    restoreTask: async (request, signal) => restoreTaskOrDraft(await open(request), request.removed, signal),
    tasksIn,
    createSkill: (wanted) => createSkill(world, wanted),
    skillBringers,
    broughtSkill: (wish, signal) => broughtSkill(world, wish, signal),
    writeBroughtSkill: (brought) => writeBroughtSkill(world, brought),
    nameProblem,
    descriptionProblem,
    importTasks: async (request) => importTasks(await open(request), request.source),
    ...secretUseCases(world),
    ...agentUseCases(world),
    async draftTasks(request, signal) {
      refuseUntrusted(request);
      return draftTasks(world, await open(request), request, signal);
    },
    async draftSize(request, signal) {
      refuseUntrusted(request);
      return draftSizeOf(world, await open(request), request, signal);
    },
  };
}

/** What a task for an agent is made of. */
function agentUseCases(
  world: World,
): Pick<
  TaskUseCases,
  'agentFixtures' | 'fixtureNameProblem' | 'addFixture' | 'dropFixture' | 'agentTask' | 'changedFileProblem'
> {
  const { environment } = world;
  return {
    agentFixtures: async (request, signal) =>
      agentFixtures(await openSkill(world, request, 'look'), environment, signal),
    fixtureNameProblem,
    addFixture: async ({ name, ...request }) => addFixture(await openSkill(world, request, 'work'), name),
    dropFixture: async ({ name, ...request }) => dropFixture(await openSkill(world, request, 'work'), name),
    agentTask: async ({ task: id, wish, ...request }, signal) =>
      agentTask(await openSkill(world, request, 'look'), { id, wish, environment }, signal),
    changedFileProblem,
  };
}

/** What agents would be given that looks like a secret. */
function secretUseCases(world: World): Pick<TaskUseCases, 'agentSecrets' | 'searchedForSecrets'> {
  return {
    async agentSecrets({ allowing, ...request }, signal) {
      const skill = await openSkill(world, request, 'work');
      const tasks = await readSkillTasks(skill);
      return tasks === undefined
        ? { files: [], allowedBefore: 0 }
        : secretsForAgents({ world, skill, tasks, allowing }, signal);
    },
    async searchedForSecrets(request, signal) {
      const skill = await openSkill(world, request, 'look');
      const tasks = await readSkillTasks(skill);
      const folders = tasks && (await searchedForSecrets({ skill, tasks }, world.environment, signal));
      return { skillName: skill.name, folders: folders ?? [] };
    },
  };
}
