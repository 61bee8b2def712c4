import { commandsOf } from '../../checks/rules/command.js';
import type { RunOptions } from '../../engine/runOptions.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { Task } from '../../tasks/task.js';
import { firstNames, refuseUnfit, type Unfit } from '../models/unfitTarget.js';
import { attemptedTasks, type SkillTasks } from '../tasks/skillTasks.js';

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

/** The tasks that work stands on: of each kind at least one has to get a score. */
interface NeededTasks {
  readonly attempted: readonly Task[];
  readonly heldOut?: readonly Task[];
  readonly training?: readonly Task[];
}

/** Those of a run that trains, which learns from some and proves on others; or those alone that are attempted. */
export function neededTasks({ tasks, options, attempted, purpose }: WorkOnTasks): NeededTasks {
  if (attempted !== undefined) return { attempted };
  const { training, heldOut } = tasks.result.split;
  return {
    attempted: attemptedTasks(tasks),
    ...(options.gate.rule === 'off' ? {} : { heldOut }),
    ...(purpose === 'measure' ? {} : { training }),
  };
}

interface WorkOnTasks {
  readonly tasks: SkillTasks;
  readonly options: Pick<RunOptions, 'gate'>;
  /** Those that are attempted, where they are not all. */
  readonly attempted?: readonly Task[] | undefined;
  /** What measures a text that is there learns from no task. */
  readonly purpose?: string | undefined;
}

/** Why nothing can come of it; undefined where each kind has a task that gets a score. */
export function unplayedBeyond({ attempted, heldOut, training }: NeededTasks, target: Target): Unfit | undefined {
  const lacks = (tasks: readonly Task[] = []): boolean =>
    tasks.length > 0 && tasks.every((task) => isUnplayed(task, target));
  if (lacks(attempted)) return { message: noScore(attempted), cure: instead };
  if (heldOut !== undefined && lacks(heldOut))
    return {
      message: `The simulated model starts no program, so no held-out task gets a score on it, for they are judged by a “command”: ${firstNames(heldOut)}.`,
      cure: instead,
    };
  if (training !== undefined && lacks(training))
    return {
      message: `The simulated model starts no program, so no training task gets a score on it, for they are judged by a “command”: ${firstNames(training)}.`,
      cure: instead,
    };
  return undefined;
}

/** Throws that before a run begins. */
export function refuseUnplayed(...given: Parameters<typeof unplayedBeyond>): void {
  refuseUnfit(unplayedBeyond(...given));
}

function noScore(tasks: readonly Task[]): string {
  return `The simulated model starts no program, so these tasks get no score on it, for they are judged by a “command”: ${firstNames(tasks)}.`;
}

/** Why an attempt at one of them gets none. */
export const whyUnplayed =
  'The simulated model starts no program, so nothing ran the task’s “command” on what its agent left. Choose an agent program as the target.';

const instead =
  'Choose an agent program as the target (claude-code, codex, …), or judge them by file_changed, command_ran, or contains with “on”: “diff”.';
