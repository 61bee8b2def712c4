import { variantsOf } from '../../engine/consolidate/trainingTasks.js';
import type { UserStore } from '../../storage/state/store.js';
import type { NightPlan, NightRequest } from './nightly.js';
import { findMemoryFile } from './nightMemoryFile.js';
import { assessNight, type WeighedNight } from './nightReadiness.js';
import { preflightOf, type Consolidated } from '../runs/preflight.js';
import type { World } from '../world.js';

/** What a night over these skills would train, leave out and cost, for the person who is about to turn it on. */
export async function planNight(
  world: World,
  store: UserStore,
  request: NightRequest,
  signal: AbortSignal,
): Promise<NightPlan> {
  const weighed = await assessNight(world, store, request, signal);
  const { models, names } = weighed;
  const train = await Promise.all(
    weighed.train.map(async (found) => {
      if (models === undefined) return [];
      const { skillPath, skill, tasks, options, facts } = found;
      const once = { ...options.train, epochs: 1, batchSize: Math.max(1, tasks.result.split.training.length) };
      const consolidated = await consolidatedIn(found, { alone: weighed.train.length === 1 });
      const start = { world, skill, tasks, options: { ...options, train: once }, consolidated };
      return [{ skillPath, name: facts.name, preflight: await preflightOf(start, models) }];
    }),
  );
  return {
    train: train.flat(),
    leftOut: weighed.leftOut,
    stops: weighed.stops,
    model: names?.target ?? '',
    simulated: names?.simulated ?? false,
    consented: weighed.consented,
  };
}

/** What a night of this skill does beyond one epoch: the memory file as a second stage, and training on more tasks. */
async function consolidatedIn(
  { skill, tasks, options }: WeighedNight['train'][number],
  { alone }: { readonly alone: boolean },
): Promise<Consolidated> {
  const { skill: evolvesSkill, memory, variants, recall } = options.consolidate;
  const file = memory ? await findMemoryFile(skill.places) : undefined;
  const made = variantsOf(tasks.result.split.training, variants).length;
  return {
    stages: (evolvesSkill ? 1 : 0) + (file !== undefined && alone ? 1 : 0),
    moreTraining: { low: made, high: made + recall },
    memory: file?.text ?? '',
  };
}
