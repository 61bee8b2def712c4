import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { commandsOf, commandToRun } from '../../checks/rules/command.js';
import type { RunOptions } from '../../engine/runOptions.js';
import type { AgentSources } from '../../environments/agent.js';
import { whyNotAllowed, type AllowedPrograms } from '../../environments/allowedToRun.js';
import { watchCanaries } from '../../environments/canaries.js';
import { TaskFault, UserError } from '../../errors.js';
import { isInside } from '../../isInside.js';
import type { WorkEntry, WorkJudge, WorkLimits, WorkTree } from '../../ports/agentWork.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { AttemptRequest } from '../../ports/environment.js';
import { isInPackage } from '../../skill/package/packageFile.js';
import { drawCanaries } from '../../storage/programs/workplace/canaries.js';
import { exportCommit, type CommitToExport } from '../../storage/programs/workplace/exportCommit.js';
import { withoutSkill } from '../../storage/programs/workplace/withoutSkill.js';
import { treeOf, treeOfFolder } from '../../storage/programs/workplace/workTree.js';
import type { Task } from '../../tasks/task.js';
import type { OpenSkill } from '../openSkill.js';
import { isUnplayed, whyUnplayed } from './unplayedTasks.js';

interface AgentParts extends AllowedPrograms {
  readonly skill: AgentSkill;
  readonly options: Pick<RunOptions, 'agent'>;
  readonly trees: AgentTrees;
  readonly target: Pick<LanguageModel, 'identity'>;
}

/** The skill whose tasks they are. */
type AgentSkill = Pick<OpenSkill, 'name' | 'folder'> & { readonly places: Pick<OpenSkill['places'], 'root'> };

/** What attempts of agents are made from: folders as they were when the run first needed them. */
export function agentSources({ skill, options, trees, target, ...allowed }: AgentParts): AgentSources {
  return {
    skillName: skill.name,
    limitsOf: (task) => workLimits(task, options),
    fixtureOf: trees.fixtureOf,
    packageOf: async (request, signal) => packageOf(request, await trees.files(signal)),
    judgesOf: async (task, signal) =>
      isUnplayed(task, target) ? whyUnplayed : judgesOf(task, { folder: skill.folder, allowed }, signal),
    canaries: watchCanaries(drawCanaries),
  };
}

/** The folders that agents are given. */
export interface AgentTrees {
  /** The package of the skill, as it lies on the disk. */
  readonly files: (signal: AbortSignal) => Promise<WorkTree>;
  /** What an attempt starts from: no tasks, and no copy of the skill, are in it. */
  readonly fixtureOf: (task: Task, signal: AbortSignal) => Promise<WorkTree>;
}

/** Each is read once. */
export function agentTrees(skill: AgentSkill, environment: CommitToExport['environment']): AgentTrees {
  const taken = new Map<string, Promise<WorkTree>>();
  const once = (key: string, take: () => Promise<WorkTree>): Promise<WorkTree> => {
    const known = taken.get(key) ?? take();
    taken.set(key, known);
    return known;
  };
  const files = (signal: AbortSignal): Promise<WorkTree> => once('', () => packageFiles(skill, signal));
  return {
    files,
    fixtureOf: (task, signal) =>
      once(JSON.stringify(task.agent?.fixture), async () => {
        const tree = await fixtureTree(task, { skill, environment }, signal);
        return withoutSkill(tree, { name: skill.name, files: await files(signal) });
      }),
  };
}

/** What one attempt at the task may take. Tasks come along with a skill: they lower what the person lets be spent, and raise nothing. */
export function workLimits({ agent }: Pick<Task, 'agent'>, { agent: usual }: Pick<RunOptions, 'agent'>): WorkLimits {
  return {
    maxTokens: Math.min(agent?.maxTokens ?? Infinity, usual.maxTokens),
    maxTurns: Math.min(agent?.maxTurns ?? Infinity, usual.maxTurns),
    timeLimitMs: Math.min(agent?.minutes ?? Infinity, usual.minutes) * 60_000,
  };
}

/** What an attempt starts from, as it lies there: a folder of the skill's, or a commit. What is wrong with it names the task. */
async function fixtureTree(
  { id, agent }: Pick<Task, 'id' | 'agent'>,
  parts: { readonly skill: AgentSkill } & Pick<CommitToExport, 'environment'>,
  signal: AbortSignal,
): Promise<WorkTree> {
  const { fixture = '' } = agent ?? {};
  const { folder } = parts.skill;
  return ofTask({ folder, id }, async () =>
    typeof fixture === 'string'
      ? treeOfFolder(await ownFolder(folder, fixture), signal)
      : commitTree(fixture, parts, signal),
  );
}

async function ofTask<T>(
  { folder, id }: { readonly folder: string; readonly id: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new TaskFault(error, { skillPath: path.join(folder, 'SKILL.md'), taskId: id });
  }
}

async function commitTree(
  fixture: { readonly repository: string; readonly commit: string },
  { skill, environment }: { readonly skill: AgentSkill } & Pick<CommitToExport, 'environment'>,
  signal: AbortSignal,
): Promise<WorkTree> {
  const repository = path.resolve(skill.folder, fixture.repository);
  const [root, folder] = await Promise.all([realpath(skill.places.root ?? skill.folder), realpath(skill.folder)]);
  // In the workspace, or the one that the skill lies in.
  const mayRead = (place: string): boolean =>
    isInside(root, place) || (path.basename(place) === '.git' && isInside(path.dirname(place), folder));
  return exportCommit({ repository, commit: fixture.commit, environment, workspace: [root], mayRead }, signal);
}

/**
 * Where a folder that a task names really lies. A task file that came with a clone must not hand another folder of this
 * machine to an agent, nor by a link on the way.
 */
async function ownFolder(skillFolder: string, name: string): Promise<string> {
  const own = await realpath(skillFolder);
  const named = path.join(own, name);
  const folder = await realpath(named).catch(() => named);
  if (isInside(own, folder)) return folder;
  throw new UserError(
    'environment-refused',
    `The folder ${name} leads out of the skill’s folder: ${folder}`,
    'Name a folder of the skill’s own.',
  );
}

/** The files of the skill as they lie on the disk; its tasks are no part of it. */
async function packageFiles({ folder }: Pick<OpenSkill, 'folder'>, signal: AbortSignal): Promise<WorkTree> {
  return treeOfFolder(folder, signal, isInPackage);
}

/** With the texts that are tried in the place of those on the disk. */
function packageOf({ skill = '', files = {} }: AttemptRequest, { entries }: WorkTree): WorkTree {
  const tried = new Map(Object.entries({ ...files, 'SKILL.md': skill }));
  const kept = entries.filter((entry) => !tried.has(entry.path));
  const texts = [...tried].map(([name, text]): WorkEntry => {
    const before = entries.find((entry) => entry.path === name);
    const executable = before?.kind === 'file' && before.executable;
    return { kind: 'file', path: name, bytes: new TextEncoder().encode(text), executable };
  });
  return treeOf([...kept, ...texts]);
}

interface JudgeParts {
  readonly folder: string;
  readonly allowed: AllowedPrograms;
}

/** The programs among the task's checks, each with the files of its own folder. */
async function judgesOf(
  task: Task,
  { folder, allowed }: JudgeParts,
  signal: AbortSignal,
): Promise<readonly WorkJudge[] | string> {
  for (const spec of task.checks) {
    const start = commandToRun(spec, folder);
    const refused = start === undefined ? undefined : await whyNotAllowed(start, allowed, signal);
    if (refused !== undefined) return refused;
  }
  return Promise.all(
    commandsOf(task).map(async (given): Promise<WorkJudge> => {
      const { command, arguments: words, folder: own, timeLimitSeconds } = given;
      const brings =
        own === undefined
          ? undefined
          : await ofTask({ folder, id: task.id }, async () => treeOfFolder(await ownFolder(folder, own), signal));
      return { command, arguments: words, timeLimitMs: timeLimitSeconds * 1000, brings };
    }),
  );
}
