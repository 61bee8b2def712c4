import { isAgent } from '../../models/agents/agentKinds.js';
import { isHandoff } from '../../models/handoff/handoffModel.js';
import type { Task } from '../../tasks/task.js';
import { shownName, type RoleModels } from './runModels.js';
import { firstNames, refuseUnfit } from './unfitTarget.js';

/** The tasks that need a target that calls tools, where it calls none. */
export function toolTasksBeyond<T extends Pick<Task, 'environment'>>(
  tasks: readonly T[],
  { target }: Pick<RoleModels, 'target'>,
): readonly T[] {
  if (!isAgent(target.identity) && !isHandoff(target.identity)) return [];
  return tasks.filter(({ environment }) => environment === 'tools');
}

/** Throws where tasks need a target that calls tools and it calls none: before anything is asked, with their names. */
export function refuseToolTasks(
  tasks: readonly Pick<Task, 'id' | 'environment'>[],
  { target }: Pick<RoleModels, 'target'>,
): void {
  const needing = toolTasksBeyond(tasks, { target });
  if (needing.length === 0) return;
  const cure =
    'Choose another target for this skill, or leave these tasks out (“enabled”: false in evals/whetstone.json).';
  const [only, ...more] = needing;
  if (only !== undefined && more.length === 0)
    refuseUnfit({
      message: `${shownName(target)} calls no tools, and the task ${only.id} needs a model that does.`,
      cure,
    });
  refuseUnfit({
    message: `${shownName(target)} calls no tools, and ${needing.length} of the tasks need a model that does: ${firstNames(needing)}.`,
    cure,
  });
}
