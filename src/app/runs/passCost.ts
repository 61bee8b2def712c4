import type { RunContext } from '../../engine/runContext.js';
import type { RunOptions } from '../../engine/runOptions.js';
import { estimate } from '../../models/estimate.js';
import type { PriceOverrides } from '../../models/prices.js';
import { attemptPlans } from './callPlans.js';
import type { RoleModels } from '../models/runModels.js';

/**
 * What a pass takes, told from its texts and tasks alone, with usual answers: the same run says the same everywhere. A
 * task with tools, or a program of its own, may take more calls than that.
 */
export function passCostOf(
  models: Pick<RoleModels, 'target' | 'judge'>,
  { judge }: Pick<RunOptions, 'judge'>,
  prices: PriceOverrides | undefined,
): NonNullable<RunContext['passCost']> {
  return ({ before, after }, tasks) => {
    const once = { low: tasks.length, high: tasks.length };
    const plans = [before, after].flatMap(({ skill, memory = '' }) =>
      attemptPlans(once, { tasks, text: `${skill}\n${memory}`, judgeRepeats: judge.repeats, models, prices }),
    );
    const { calls, usd } = estimate(plans);
    return { calls: calls.low, usd: usd?.low };
  };
}
