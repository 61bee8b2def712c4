import { ModelError, UserError } from '../../errors.js';
import { isAgent } from '../../models/agents/agentKinds.js';
import { findPrice, isOnThisMachine, type PriceOverrides } from '../../models/prices.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import {
  keepServerCost,
  readServerCosts,
  serverModelKey,
  type ServerCost,
  type ServerModel,
} from '../../storage/state/serverCosts.js';
import { userStore, type World } from '../world.js';
import type { RoleModels } from './runModels.js';

/** A chosen model that a server on this machine answers for, and what the person said about its cost. */
export interface LocalModel extends ServerModel {
  /** Undefined where nobody was asked yet, and no price is stated in the settings. */
  readonly cost: ServerCost | undefined;
}

/** Every price that the person stated: by name, and by the address and model of a server on their machine. */
export async function statedPrices(world: World): Promise<PriceOverrides> {
  const answers = Object.entries(await readServerCosts(await userStore(world, 'look')));
  const byServer = answers.flatMap(([key, answer]) => {
    if (answer.kind === 'unknown') return [];
    const { input, output } = answer.kind === 'free' ? { input: 0, output: 0 } : answer;
    return [[key, { input, output }] as const];
  });
  return { ...Object.fromEntries(byServer), ...world.prices?.() };
}

/**
 * The chosen models that answer on this machine, each once. The simulated one is known to cost nothing. None where they
 * cannot be asked yet, for want of a key: that is for whoever is about to ask them to say.
 */
export async function localModels(world: World, signal: AbortSignal): Promise<readonly LocalModel[]> {
  const models = await usableModels(world, signal);
  if (models === undefined) return [];
  const answers = await readServerCosts(await userStore(world, 'look'));
  return distinctLocal(models).map(({ identity }) => {
    const { endpoint, model } = identity;
    const stated = findPrice(identity, world.prices?.());
    const byName: ServerCost | undefined =
      stated === undefined ? undefined : { kind: 'price', input: stated.input, output: stated.output };
    return { endpoint, model, cost: byName ?? answers[serverModelKey({ endpoint, model })] };
  });
}

/** The chosen models; undefined where they cannot be asked yet. */
export async function usableModels(world: World, signal: AbortSignal): Promise<RoleModels | undefined> {
  try {
    return await world.models(signal);
  } catch (error) {
    if (error instanceof UserError || error instanceof ModelError) return undefined;
    throw error;
  }
}

/** Writes down what the person says, in their own state. */
export async function stateCost(
  world: World,
  about: ServerModel,
  cost: ServerCost,
  signal: AbortSignal,
): Promise<void> {
  await keepServerCost(await userStore(world), about, cost, signal);
}

/**
 * The models whose price nobody has stated and which this machine answers for, by a server or by an agent program: money
 * cannot be capped for them, so calls are.
 */
export function unpricedLocal(models: RoleModels, prices: PriceOverrides): readonly LanguageModel[] {
  const programs = distinct(Object.values(models).filter(({ identity }) => isAgent(identity)));
  return [...distinctLocal(models), ...programs].filter(({ identity }) => findPrice(identity, prices) === undefined);
}

function distinctLocal(models: RoleModels): readonly LanguageModel[] {
  const local = Object.values(models).filter(
    ({ identity }) => !identity.simulated && isOnThisMachine(identity.endpoint),
  );
  return distinct(local);
}

function distinct(models: readonly LanguageModel[]): readonly LanguageModel[] {
  return [...new Map(models.map((model) => [serverModelKey(model.identity), model])).values()];
}
