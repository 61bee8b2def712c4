import { UserError } from '../../errors.js';
import type { Proposal } from '../../ports/proposal.js';
import { nightReadiness, type NightFacts, type Blocker } from '../../schedule/preconditions.js';
import type { UserStore } from '../../storage/state/store.js';
import { reachedCap } from './nightCaps.js';
import { hasModelConsent } from './nightConsent.js';
import type { NightRequest } from './nightly.js';
import { powerSource } from './nightPower.js';
import { findSkill, type FoundSkill } from './nightSkills.js';
import { modelNames, type RoleModels } from '../models/runModels.js';
import type { World } from '../world.js';

type Found = Extract<FoundSkill, { kind: 'found' }>;

/** A night that was weighed: what it trains, what it leaves out and why, and what stops it as a whole. */
export interface WeighedNight {
  readonly train: readonly Found[];
  readonly leftOut: readonly { readonly skillPath: string; readonly name: string; readonly stop: Blocker }[];
  readonly broken: readonly Extract<FoundSkill, { kind: 'broken' }>[];
  readonly stops: readonly Blocker[];
  /** Undefined where there is no key for them. */
  readonly models: RoleModels | undefined;
  readonly names: Proposal['models'] | undefined;
  readonly consented: boolean;
}

/** Gathers the facts and weighs them. Excluded skills are left out silently: the person said so. */
export async function assessNight(
  world: World,
  store: UserStore,
  request: NightRequest,
  signal: AbortSignal,
): Promise<WeighedNight> {
  const { models, missingKey } = await modelsOrNone(world, signal);
  const found = await Promise.all(
    request.skills.map((skillPath) => findSkill(world, { ...request, skillPath }, models)),
  );
  const settings = { excluded: request.excluded ?? [], onBattery: request.onBattery ?? 'run' };
  const wanted = found.filter((each) => !settings.excluded.includes(nameOf(each)));
  const ready = wanted.filter((each) => each.kind === 'found');
  const names = models === undefined ? undefined : modelNames(models);
  const { consented, unasked } = await consentOf(store, request, models);
  const facts: NightFacts = {
    trusted: request.trusted,
    model: names?.target ?? 'the chosen model',
    consented,
    keyPresent: models !== undefined,
    capReached: await reachedCap(world, store),
    power: settings.onBattery === 'skip' ? await powerSource(world.platform) : 'unknown',
    skills: ready.map((each) => each.facts),
  };
  const weighed = decided(wanted, facts, settings);
  return {
    ...weighed,
    stops: weighed.stops.map((stop) => withSpecificMessage(stop, { missingKey, unasked })),
    models,
    names,
    consented,
  };
}

function decided(
  wanted: readonly FoundSkill[],
  facts: NightFacts,
  settings: Parameters<typeof nightReadiness>[1],
): Pick<WeighedNight, 'train' | 'leftOut' | 'broken' | 'stops'> {
  const ready = wanted.filter((each) => each.kind === 'found');
  const readiness = nightReadiness(facts, settings);
  const of = (skill: Found['facts']): Found | undefined => ready.find((each) => each.facts === skill);
  const withoutTasks = wanted.filter((each) => each.kind === 'left-out');
  const broken = wanted.filter((each) => each.kind === 'broken');
  const leftOut = readiness.leftOut.flatMap(({ skill, stop }) => {
    const found = of(skill);
    return found === undefined ? [] : [{ skillPath: found.skillPath, name: skill.name, stop }];
  });
  // With no skill to weigh there is still a reason to give: the one that a skill has.
  const stops =
    ready.length === 0 && withoutTasks.length + broken.length > 0
      ? readiness.stops.flatMap((stop) => (stop.name === 'no-tasks' ? withoutTasks.map((each) => each.stop) : [stop]))
      : readiness.stops;
  return {
    train: readiness.train.flatMap((skill) => of(skill) ?? []),
    leftOut: [...leftOut, ...withoutTasks],
    broken,
    stops,
  };
}

/** A missing key stops the night with its own sentence; that no model is chosen at all is told as an error. */
async function modelsOrNone(
  world: World,
  signal: AbortSignal,
): Promise<{ readonly models: RoleModels | undefined; readonly missingKey: UserError | undefined }> {
  try {
    return { models: await world.models(signal), missingKey: undefined };
  } catch (error) {
    if (!(error instanceof UserError && error.code === 'model-key-missing')) throw error;
    return { models: undefined, missingKey: error };
  }
}

/**
 * Whether the person agreed that these models get the workspace's tasks. One that would ask them for access itself, at an
 * hour when nobody is there, says what it lacks.
 */
async function consentOf(
  store: UserStore,
  { consent, folders = [] }: NightRequest,
  models: RoleModels | undefined,
): Promise<{ readonly consented: boolean; readonly unasked: UserError | undefined }> {
  if (consent !== 'stored' || models === undefined) return { consented: true, unasked: undefined };
  if (!(await hasModelConsent(store, folders, modelNames(models)))) return { consented: false, unasked: undefined };
  const [unasked] = Object.values(models).flatMap((model) => model.needsPerson?.() ?? []);
  return { consented: unasked === undefined, unasked };
}

/** Whoever looked for the key knows whose it is, and whoever knows the model what it lacks. */
function withSpecificMessage(
  stop: Blocker,
  { missingKey, unasked }: { readonly missingKey: UserError | undefined; readonly unasked: UserError | undefined },
): Blocker {
  const own = stop.name === 'no-key' ? missingKey : stop.name === 'no-consent' ? unasked : undefined;
  return own === undefined ? stop : { name: stop.name, sentence: own.message, cure: own.cure };
}

function nameOf(found: FoundSkill): string {
  return found.kind === 'found' ? found.facts.name : found.name;
}
