import { commandsOf } from '../../checks/rules/command.js';
import { UserError } from '../../errors.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { Task } from '../../tasks/task.js';

/**
 * The simulated model plays an agent in memory and starts no program. A task whose check is a `command`, which looks at
 * the folder that an agent left, gets no score on it: that is told before the run, and nobody is asked whether the
 * command may run.
 */
export function isUnplayed({ environment, checks }: Pick<Task, 'environment' | 'checks'>, target: Target): boolean {
  return target.identity.simulated && environment === 'agent' && commandsOf({ checks }).length > 0;
}

type Target = Pick<LanguageModel, 'identity'>;

/** What the person is told of them before a run. */
export function unplayedNotes(tasks: readonly Task[], target: Target): readonly string[] {
  const unplayed = tasks.filter((task) => isUnplayed(task, target));
  return unplayed.length === 0 ? [] : [`${noScore(unplayed)} ${instead}`];
}

/** Throws where no task of a run would get a score. */
export function refuseAllUnplayed(tasks: readonly Task[], target: Target): void {
  if (tasks.length === 0 || !tasks.every((task) => isUnplayed(task, target))) return;
  throw new UserError('environment-refused', noScore(tasks), instead);
}

const mostNamed = 5;

function noScore(tasks: readonly Task[]): string {
  const named = tasks.slice(0, mostNamed).map(({ id }) => id);
  const names = tasks.length > named.length ? `${named.join(', ')}, …` : named.join(', ');
  return `The simulated model starts no program, so these tasks get no score on it, for they are judged by a “command”: ${names}.`;
}

/** Why an attempt at one of them gets none. */
export const whyUnplayed =
  'The simulated model starts no program, so nothing ran the task’s “command” on what its agent left. Choose an agent program as the target.';

const instead =
  'Choose an agent program as the target (claude-code, codex, …), or judge them by file_changed, command_ran, or contains with “on”: “diff”.';
