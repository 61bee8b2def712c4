import { undescribedChecks, type UndescribedCheck } from '../../checks/criteria.js';
import type { SkillTasks } from '../tasks/skillTasks.js';

/** The checks of training tasks that the optimizer is told nothing about, in the order of the file. */
export function undescribedIn({ read, result }: Pick<SkillTasks, 'read' | 'result'>): readonly UndescribedCheck[] {
  const training = new Set(result.split.training.map(({ id }) => id));
  return undescribedChecks(read.tasks.filter(({ id }) => training.has(id)));
}

const mostNamed = 5;

/** Which they are, and where a person says what they demand; nothing where there are none. */
export function undescribedNotes(tasks: Pick<SkillTasks, 'read' | 'result'>): readonly string[] {
  const checks = undescribedIn(tasks);
  if (checks.length === 0) return [];
  const named = checks.slice(0, mostNamed).map(({ taskId, check }) => `${taskId} (${check})`);
  const more = checks.length - named.length;
  const list = more === 0 ? named.join(', ') : `${named.join(', ')} and ${more} more`;
  const note =
    checks.length === 1
      ? `The optimizer is not told what a check of a training task demands: ${list}. Say it in its field “criterion” in evals/whetstone.json.`
      : `The optimizer is not told what ${checks.length} checks of training tasks demand: ${list}. Say it in their field “criterion” in evals/whetstone.json.`;
  return [note];
}
