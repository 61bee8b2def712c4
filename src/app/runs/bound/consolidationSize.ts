import { variantsOf } from '../../../engine/consolidate/trainingTasks.js';
import type { RunOptions } from '../../../engine/runOptions.js';
import { findMemoryFile } from '../memoryFile.js';
import type { RunSetup } from '../runStart.js';
import type { ConsolidationSize } from './runBound.js';

/** How a consolidation trains a skill: one epoch over all its tasks, and what it does beyond. */
export async function consolidationSizeOf(
  { skill, tasks, options }: Pick<RunSetup, 'skill' | 'tasks' | 'options'>,
  { alone, night }: { readonly alone: boolean; readonly night: boolean },
): Promise<{ readonly options: RunOptions; readonly consolidated: ConsolidationSize }> {
  const { skill: evolvesSkill, memory, variants, recall } = options.consolidate;
  const { training } = tasks.result.split;
  const file = memory ? await findMemoryFile(skill.places) : undefined;
  const made = variantsOf(training, variants).length;
  return {
    options: { ...options, train: { ...options.train, epochs: 1, batchSize: Math.max(1, training.length) } },
    consolidated: {
      stages: (evolvesSkill ? 1 : 0) + (file !== undefined && alone ? 1 : 0),
      moreTraining: { low: made, high: made + recall },
      memory: file?.text ?? '',
      comparesNights: night && evolvesSkill,
    },
  };
}
