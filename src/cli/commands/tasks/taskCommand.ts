import type { Command } from 'commander';
import { UserError } from '../../../errors.js';
import type { SkillOverview } from '../../../app/results/overview.js';
import { skillRequest, type CliContext } from '../../commandLine.js';
import { waysToTasks } from '../../tasks/nextSteps.js';
import { skillWord } from '../../tasks/skillWord.js';

/** What every command on tasks may be given. */
export interface TaskOptions {
  readonly json?: boolean;
  readonly root?: string;
}

export type Tasks = NonNullable<SkillOverview['tasks']>;

export function taskCommand(tasks: Command, name: string): Command {
  return tasks
    .command(name)
    .argument('<skill>', 'a SKILL.md, or the folder that holds one')
    .option('--json', 'print one JSON object instead of text')
    .option('--root <folder>', 'the folder whose .whetstone holds the split');
}

export async function tasksOf(face: CliContext, skill: string, options: TaskOptions): Promise<Tasks> {
  const { tasks, trouble } = await face.open({}).overview(skillRequest(face, skill, options), face.signal);
  if (tasks !== undefined) return tasks;
  const none = trouble === undefined || trouble.startsWith('No tasks yet');
  const cure = none ? waysToTasks(skillWord(skill, face.cwd)) : 'Correct it, then try again.';
  throw new UserError(none ? 'tasks-missing' : 'tasks-malformed', trouble ?? 'There are no tasks.', cure);
}

export function print(face: CliContext, options: TaskOptions, json: unknown, text: () => string): void {
  if (options.json === true) face.terminal.json(json);
  else face.terminal.out(`${text()}\n`);
}
