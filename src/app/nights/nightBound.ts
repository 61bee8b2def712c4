import { variantsOf } from '../../engine/consolidate/trainingTasks.js';
import type { RunOptions } from '../../engine/runOptions.js';
import type { RoleModels } from '../models/runModels.js';
import { findMemoryFile } from '../runs/memoryFile.js';
import { estimateRun, type ConsolidationSize } from '../runs/preflight.js';
import type { RunSetup } from '../runs/runStart.js';

/** The most that a night may take for one skill. */
export interface NightBound {
  readonly calls: number;
  readonly tokens: number;
}

/** How a night trains a skill: one epoch over all its tasks, and what it does beyond. */
export async function nightSizeOf(
  { skill, tasks, options }: Pick<RunSetup, 'skill' | 'tasks' | 'options'>,
  { alone }: { readonly alone: boolean },
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
    },
  };
}

/** The bound of a night that these options make; the caps among them count. */
export async function nightBoundOf(setup: RunSetup, models: RoleModels): Promise<NightBound> {
  const sized = { ...setup, ...(await nightSizeOf(setup, { alone: true })), prices: {} };
  const { calls, tokens } = estimateRun(sized, models);
  const { caps } = setup.options;
  return {
    calls: Math.min(calls.high, caps.calls ?? Infinity),
    tokens: Math.min(tokens.high, caps.tokens ?? Infinity),
  };
}

/** Whether a night would take more, or show the target more, than what was agreed to. */
export function isRaised(
  former: { readonly bound: NightBound; readonly options: RunOptions },
  now: { readonly bound: NightBound; readonly options: RunOptions },
): boolean {
  return (
    now.bound.calls > former.bound.calls ||
    now.bound.tokens > former.bound.tokens ||
    (now.options.inlineReferences && !former.options.inlineReferences)
  );
}
