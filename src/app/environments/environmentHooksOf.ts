import type { BatchPlan, EnvironmentHooks } from '../../engine/runContext.js';
import { UserError } from '../../errors.js';
import type { RegisteredEnvironment } from '../../ports/environment.js';
import type { Task } from '../../tasks/task.js';

/** What registered environments add to training, each for its own tasks; undefined where none of them adds anything. */
export function environmentHooksOf(environments: readonly RegisteredEnvironment[]): EnvironmentHooks | undefined {
  const adding = environments.filter(addsToTraining);
  if (adding.length === 0) return undefined;
  const byName = new Map(adding.map((environment) => [environment.name, environment]));
  return {
    taskType: (task) => byName.get(task.environment)?.taskType?.(task),
    planBatches: (tasks, plan) => ({
      planned: adding.flatMap((environment) => plannedBy(environment, tasks, plan)),
      rest: tasks.filter((task) => byName.get(task.environment)?.planBatches === undefined),
    }),
    remarks: async (attempts, signal) => {
      const said = adding.map(async (environment) => {
        const own = attempts.filter(({ task }) => task.environment === environment.name);
        return own.length === 0 ? '' : environment.reflect?.(own, signal);
      });
      return (await Promise.all(said)).filter((text) => typeof text === 'string');
    },
  };
}

function addsToTraining(environment: RegisteredEnvironment): boolean {
  return (['taskType', 'planBatches', 'reflect'] as const).some((name) => environment[name] !== undefined);
}

function plannedBy<T extends Task>(
  environment: RegisteredEnvironment,
  tasks: readonly T[],
  plan: BatchPlan,
): readonly (readonly T[])[] {
  const own = new Map(tasks.filter((task) => task.environment === environment.name).map((task) => [task.id, task]));
  if (environment.planBatches === undefined || own.size === 0) return [];
  const batches = environment.planBatches([...own.values()], plan).map((ids) => ids.map((id) => taskNamed(id)));
  return batches.filter((batch) => batch.length > 0);

  function taskNamed(id: string): T {
    const task = own.get(id);
    if (task !== undefined) return task;
    throw new UserError(
      'environment-refused',
      `The environment “${environment.name}” planned the task “${id}”, which is not one of its training tasks.`,
      'This is a mistake of the extension that brings the environment.',
    );
  }
}
