import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createChatEnvironment } from '../environments/chat.js';
import { createProgramEnvironment } from '../environments/program.js';
import { createToolsEnvironment } from '../environments/tools.js';
import { UserError } from '../errors.js';
import type { RunContext } from '../engine/runContext.js';
import type { RunOptions } from '../engine/runOptions.js';
import type { Environment } from '../ports/environment.js';
import type { LanguageModel } from '../ports/languageModel.js';
import type { RegisteredEnvironment } from '../ports/registeredEnvironment.js';
import type { PromptOverrides } from '../prompts/renderPrompt.js';
import { hashOf } from '../storage/hash.js';
import { nodeFiles } from '../storage/nodeFiles.js';
import { nodePrograms } from '../storage/nodePrograms.js';
import type { OpenSkill } from './openSkill.js';
import type { SkillTasks } from './skillTasks.js';
import { unseenFiles } from './unseenFiles.js';
import type { World } from './world.js';

interface EnvironmentParts {
  readonly world: World;
  readonly skill: OpenSkill;
  readonly tasks: SkillTasks;
  readonly options: RunOptions;
  readonly target: LanguageModel;
  readonly prompts: PromptOverrides;
}

/** Attempts each task in the environment that it names: ours, a declared program, or one that an extension brought. */
export async function environmentsFor(parts: EnvironmentParts, signal: AbortSignal): Promise<RunContext['attempt']> {
  const known = await knownEnvironments(parts, signal);
  const tasks = parts.tasks.read.tasks;
  const unknown = tasks.find((task) => !known.has(task.environment));
  if (unknown !== undefined) {
    throw new UserError(
      'environment-refused',
      `The task ${unknown.id} asks for the environment “${unknown.environment}”, which is not known here.`,
      `Known are: ${[...known.keys()].join(', ')}. Declare a program under “environments” in evals/whetstone.json.`,
    );
  }
  return (request, abort) => {
    const environment = known.get(request.task.environment);
    if (environment === undefined) throw new Error(`no environment ${request.task.environment}`);
    return environment.attempt(request, abort);
  };
}

async function knownEnvironments(
  parts: EnvironmentParts,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Environment>> {
  const { skill, tasks, world } = parts;
  const references = parts.options.inlineReferences ? await referenceTexts(skill) : new Map<string, string>();
  const sources = { files: nodeFiles, folder: skill.folder, prompts: parts.prompts, references };
  const programs = await Promise.all(
    [...tasks.read.environments].map(async ([name, declared]) => {
      const content =
        declared.folder === undefined ? '' : await folderHash(path.join(skill.folder, declared.folder), signal);
      return createProgramEnvironment(name, declared, {
        programs: nodePrograms,
        consent: world.consent,
        folder: skill.folder,
        content,
      });
    }),
  );
  const registered = await Promise.all((world.environments?.() ?? []).map((each) => setUp(each, parts, signal)));
  const all = [
    createChatEnvironment(parts.target, sources),
    createToolsEnvironment(parts.target, sources),
    ...programs,
    ...registered,
  ];
  return new Map(all.map((each) => [each.name, each]));
}

async function setUp(
  given: RegisteredEnvironment,
  { skill, tasks }: EnvironmentParts,
  signal: AbortSignal,
): Promise<Environment> {
  const own = tasks.read.tasks.filter((task) => task.environment === given.name);
  if (own.length > 0) await given.setup?.({ skillPath: skill.places.skillPath, tasks: own }, signal);
  return { name: given.name, attempt: (request, abort) => given.rollout(request, abort) };
}

async function folderHash(folder: string, signal: AbortSignal): Promise<string> {
  const files = await nodeFiles.list(folder, signal);
  const hashes = await Promise.all(
    files.map(async (file) => `${file} ${hashOf((await nodeFiles.read(file, signal)) ?? '')}`),
  );
  return hashes.join('\n');
}

/** The Markdown files that the skill points to, where the person asked to inline them. */
async function referenceTexts(skill: OpenSkill): Promise<ReadonlyMap<string, string>> {
  const names = (await unseenFiles(skill)).filter((name) => name.endsWith('.md'));
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(path.join(skill.folder, name), 'utf8')] as const),
    ),
  );
}
