import { createChatEnvironment } from '../environments/chat.js';
import { createToolsEnvironment } from '../environments/tools.js';
import { UserError } from '../errors.js';
import type { RunContext } from '../engine/runContext.js';
import type { RunOptions } from '../engine/runOptions.js';
import type { Environment } from '../ports/environment.js';
import type { LanguageModel } from '../ports/languageModel.js';
import type { PromptOverrides } from '../prompts/renderPrompt.js';
import { nodeFiles } from '../storage/nodeFiles.js';
import type { OpenSkill } from './openSkill.js';
import type { SkillTasks } from './skillTasks.js';
import type { World } from './world.js';

interface EnvironmentParts {
  readonly world: World;
  readonly skill: OpenSkill;
  readonly tasks: SkillTasks;
  readonly options: RunOptions;
  readonly target: LanguageModel;
  readonly prompts: PromptOverrides;
}

/** Attempts each task in the environment that it names; a task that names none and offers tools gets `tools`. */
export async function environmentsFor(parts: EnvironmentParts, signal: AbortSignal): Promise<RunContext['attempt']> {
  const sources = {
    files: nodeFiles,
    folder: parts.skill.folder,
    prompts: parts.prompts,
    references: new Map<string, string>(),
  };
  signal.throwIfAborted();
  const known = new Map<string, Environment>(
    [createChatEnvironment(parts.target, sources), createToolsEnvironment(parts.target, sources)].map((each) => [
      each.name,
      each,
    ]),
  );
  for (const task of parts.tasks.read.tasks) {
    if (!known.has(task.environment)) {
      throw new UserError(
        'environment-refused',
        `The task ${task.id} asks for the environment “${task.environment}”, which is not known here.`,
        `Known are: ${[...known.keys()].join(', ')}.`,
      );
    }
  }
  return (request, abort) => {
    const environment = known.get(request.task.environment);
    if (environment === undefined) throw new Error(`no environment ${request.task.environment}`);
    return environment.attempt(request, abort);
  };
}
