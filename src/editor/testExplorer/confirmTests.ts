import type { UseCases } from '../../app/useCases.js';
import { confirmAttempts } from '../run/confirmAttempts.js';
import type { TestsToRun } from './runTests.js';

/** Says how many attempts the tests make, on which model, and what that costs at most. Always asked. */
export async function confirmTests(
  useCases: UseCases,
  { chosen, withoutSkill }: Pick<TestsToRun, 'chosen' | 'withoutSkill'>,
): Promise<boolean> {
  const tasks = chosen.reduce((sum, { items }) => sum + items.length, 0);
  const [first] = chosen;
  if (tasks === 0 || first === undefined) return false;
  // Without the skill means: beside the same task with it.
  const attempts = withoutSkill ? 2 * tasks : tasks;
  return confirmAttempts(useCases, { skillPath: first.skillPath, attempts, always: true });
}
