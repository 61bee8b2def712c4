import type { UserStore } from '../storage/store.js';
import type { NightPlan, NightRequest } from './nightly.js';
import { weighNight } from './nightReadiness.js';
import { preflightOf } from './preflight.js';
import type { World } from './world.js';

/** What a night over these skills would train, leave out and cost, for the person who is about to turn it on. */
export async function planNight(
  world: World,
  store: UserStore,
  request: NightRequest,
  signal: AbortSignal,
): Promise<NightPlan> {
  const weighed = await weighNight(world, store, request, signal);
  const { models, names } = weighed;
  const train = await Promise.all(
    weighed.train.map(async ({ skillPath, skill, tasks, options, facts }) => {
      const once = { ...options.train, epochs: 1, batchSize: Math.max(1, tasks.result.split.training.length) };
      if (models === undefined) return [];
      const preflight = await preflightOf({ world, skill, tasks, options: { ...options, train: once } }, models);
      return [{ skillPath, name: facts.name, preflight }];
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
