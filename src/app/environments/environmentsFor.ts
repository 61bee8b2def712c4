import { createChatEnvironment } from '../../environments/chat.js';
import { createProgramEnvironment } from '../../environments/program.js';
import { createRegisteredEnvironment } from '../../environments/registered.js';
import { createToolsEnvironment } from '../../environments/tools.js';
import { messageOf, UserError } from '../../errors.js';
import type { RunContext } from '../../engine/runContext.js';
import type { RunOptions } from '../../engine/runOptions.js';
import type { Environment, RegisteredEnvironment } from '../../ports/environment.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { ProgramConsent } from '../../ports/programs.js';
import type { PromptOverrides } from '../../prompts/renderPrompt.js';
import { nodeFiles } from '../../storage/files/nodeFiles.js';
import { nodePrograms } from '../../storage/programs/nodePrograms.js';
import type { Task } from '../../tasks/task.js';
import { environmentHooksOf } from './environmentHooksOf.js';
import { filesInside } from './filesInside.js';
import type { OpenSkill } from '../openSkill.js';
import { programContent } from './programContent.js';
import type { SkillTasks } from '../tasks/skillTasks.js';
import { referenceTexts } from './unseenFiles.js';
import type { World } from '../world.js';

export interface EnvironmentParts {
  readonly world: World;
  readonly skill: OpenSkill;
  readonly tasks: SkillTasks;
  readonly options: RunOptions;
  readonly target: LanguageModel;
  readonly prompts: PromptOverrides;
  readonly consent: ProgramConsent;
}

/** Attempts each task in the environment that it names: ours, a declared program, or one that an extension brought. */
export async function environmentsFor(
  parts: EnvironmentParts,
  signal: AbortSignal,
): Promise<Pick<RunContext, 'attempt' | 'hooks'>> {
  const attempted = attemptedTasks(parts.tasks);
  const registered = (parts.world.environments?.() ?? []).filter(({ name }) =>
    attempted.some((task) => task.environment === name),
  );
  const known = await knownEnvironments(parts, registered, signal);
  refuseUnknown(attempted, [...known.keys()]);
  for (const each of registered) await setUp(each, parts, signal);
  return {
    hooks: environmentHooksOf(registered),
    attempt: (request, abort) => {
      const environment = known.get(request.task.environment);
      if (environment !== undefined) return environment.attempt(request, abort);
      const reason = `The environment “${request.task.environment}” is not known here.`;
      return Promise.resolve({ kind: 'invalid', reason });
    },
  };
}

/** Drafts and disabled tasks keep no run from starting, unless the person wants to try one of them. */
function attemptedTasks({ result: { split }, tried = [] }: SkillTasks): readonly Task[] {
  return [...split.training, ...split.heldOut, ...split.sealed, ...tried];
}

function refuseUnknown(tasks: readonly Task[], known: readonly string[]): void {
  const unknown = tasks.find((task) => !known.includes(task.environment));
  if (unknown === undefined) return;
  throw new UserError(
    'environment-refused',
    `The task ${unknown.id} asks for the environment “${unknown.environment}”, which is not known here.`,
    `Known are: ${known.join(', ')}. Declare a program under “environments” in evals/whetstone.json, install the extension that brings it, or disable the task.`,
  );
}

async function knownEnvironments(
  parts: EnvironmentParts,
  registered: readonly RegisteredEnvironment[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Environment>> {
  const { skill, tasks, consent } = parts;
  const files = filesInside(skill.folder, nodeFiles);
  const references = parts.options.inlineReferences ? await referenceTexts(skill, files, signal) : new Map();
  const sources = { files, folder: skill.folder, prompts: parts.prompts, references };
  const programs = await Promise.all(
    [...tasks.read.environments].map(async ([name, declared]) => {
      const content = await programContent(declared, { files: nodeFiles, skillFolder: skill.folder }, signal);
      return createProgramEnvironment(name, declared, {
        programs: nodePrograms,
        consent,
        folder: skill.folder,
        content,
      });
    }),
  );
  const ours = [createChatEnvironment(parts.target, sources), createToolsEnvironment(parts.target, sources)];
  const known = new Map(ours.map((each) => [each.name, each]));
  for (const each of [...programs, ...registered.map(createRegisteredEnvironment)]) {
    if (known.has(each.name)) throw takenName(each.name);
    known.set(each.name, each);
  }
  return known;
}

function takenName(name: string): UserError {
  return new UserError(
    'environment-refused',
    `Two environments are named “${name}”: one of them is declared in evals/whetstone.json.`,
    'Give the declared program another name.',
  );
}

async function setUp(given: RegisteredEnvironment, parts: EnvironmentParts, signal: AbortSignal): Promise<void> {
  const tasks = attemptedTasks(parts.tasks).filter((task) => task.environment === given.name);
  try {
    await given.setup?.({ skillPath: parts.skill.places.skillPath, tasks }, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new UserError(
      'environment-refused',
      `The environment “${given.name}” could not be set up: ${messageOf(error)}`,
      'See what the extension that brings it says.',
      { cause: error },
    );
  }
}
