import { variantsOf } from '../../engine/consolidate/trainingTasks.js';
import type { NightRequest } from './nightSkills.js';
import { findMemoryFile } from '../runs/memoryFile.js';
import { assessNight, type TrainableSkill } from './nightReadiness.js';
import { preflightOf, type ConsolidationSize, type Preflight } from '../runs/preflight.js';
import type { World } from '../world.js';
import type { Blocker } from '../../schedule/preconditions.js';

/** What the next night would do, before anything is spent. */
export interface NightPlan {
  readonly train: readonly { readonly skillPath: string; readonly name: string; readonly preflight: Preflight }[];
  readonly leftOut: readonly { readonly skillPath: string; readonly name: string; readonly stop: Blocker }[];
  readonly stops: readonly Blocker[];
  /** How the models are named; the simulated one says so. */
  readonly model: string;
  readonly simulated: boolean;
  readonly consented: boolean;
}

/** What a night over these skills would train, leave out and cost, for the person who is about to turn it on. */
export async function planNight(world: World, request: NightRequest, signal: AbortSignal): Promise<NightPlan> {
  const assessment = await assessNight(world, request, signal);
  const { models, names } = assessment;
  const train = await Promise.all(
    assessment.train.map(async (found) => {
      if (models === undefined) return [];
      const { skillPath, skill, tasks, options, facts, notes } = found;
      const once = { ...options.train, epochs: 1, batchSize: Math.max(1, tasks.result.split.training.length) };
      const consolidated = await consolidatedIn(found, { alone: assessment.train.length === 1 });
      const caps = { ...options.caps, usd: options.caps.usd ?? request.cap?.usd };
      const start = { world, skill, tasks, options: { ...options, caps, train: once }, notes, consolidated };
      return [{ skillPath, name: facts.name, preflight: await preflightOf(start, models) }];
    }),
  );
  return {
    train: train.flat(),
    leftOut: assessment.leftOut,
    stops: assessment.stops,
    model: names?.target ?? '',
    simulated: names?.simulated ?? false,
    consented: assessment.consented,
  };
}

/** What a night of this skill does beyond one epoch: the memory file as a second stage, and training on more tasks. */
async function consolidatedIn(
  { skill, tasks, options }: TrainableSkill,
  { alone }: { readonly alone: boolean },
): Promise<ConsolidationSize> {
  const { skill: evolvesSkill, memory, variants, recall } = options.consolidate;
  const file = memory ? await findMemoryFile(skill.places) : undefined;
  const made = variantsOf(tasks.result.split.training, variants).length;
  return {
    stages: (evolvesSkill ? 1 : 0) + (file !== undefined && alone ? 1 : 0),
    moreTraining: { low: made, high: made + recall },
    memory: file?.text ?? '',
  };
}
