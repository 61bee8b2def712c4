import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../../errors.js';
import type { Proposal } from '../../ports/proposal.js';
import { nightReadiness, type NightFacts, type Blocker } from '../../schedule/preconditions.js';
import { readKnownOnce } from '../../storage/state/knownSkills.js';
import type { UserStore } from '../../storage/state/store.js';
import { agreedOptions } from './nightAgreement.js';
import { autoAdoptionOf, type AutoAdoption } from './autoAdopt.js';
import { reachedCap, hasModelConsent } from './nightLimits.js';
import { type ExpectedDrafts, type NightRequest, findSkill, type NightSkill } from './nightSkills.js';
import { learnsUnconfirmed } from './unconfirmedTasks.js';
import { modelNames, type RoleModels } from '../models/runModels.js';
import { userStore, type World } from '../world.js';
import { shownModel } from '../../wording/programs/shownModel.js';

/** A skill that a night can train. */
export type TrainableSkill = Extract<NightSkill, { kind: 'found' }>;

/** A night that was weighed: what it trains, what it leaves out and why, and what stops it as a whole. */
export interface NightAssessment {
  readonly train: readonly TrainableSkill[];
  readonly leftOut: readonly { readonly skillPath: string; readonly name: string; readonly stop: Blocker }[];
  readonly broken: readonly Extract<NightSkill, { kind: 'broken' }>[];
  readonly stops: readonly Blocker[];
  /** Undefined where there is no key for them. */
  readonly models: RoleModels | undefined;
  readonly names: Proposal['models'] | undefined;
  readonly consented: boolean;
  readonly adoption: AutoAdoption;
}

/** The skills whose files can be read, whether they are trained or not. */
export function soundSkills({ train, leftOut }: NightAssessment): readonly string[] {
  return [...train, ...leftOut].map(({ skillPath }) => skillPath);
}

/** Gathers the facts and weighs them. Excluded skills are left out silently: the person said so. */
export async function assessNight(
  world: World,
  request: NightRequest,
  signal: AbortSignal,
  expected: ExpectedDrafts = new Map(),
): Promise<NightAssessment> {
  const store = await userStore(world, 'look');
  const { models, missingKey } = await modelsOrNone(world, signal);
  const agreed = await agreedOptions(store, request);
  const adoption = await autoAdoptionOf(world, store, request);
  const unconfirmed = (await learnsUnconfirmed(store, request)) ? expected : undefined;
  const terms = { models, adoption, agreed, unconfirmed, known: readKnownOnce(store.folder) };
  const found = await Promise.all(
    request.skills.map((skillPath) => findSkill(world, { ...request, skillPath }, terms)),
  );
  const settings = { excluded: request.excluded ?? [], onBattery: request.onBattery ?? 'run' };
  const wanted = found.filter((each) => !settings.excluded.includes(nameOf(each)));
  const ready = wanted.filter((each) => each.kind === 'found');
  const names = models === undefined ? undefined : modelNames(models);
  const { consented, unasked } = await consentOf(store, request, models);
  const facts: NightFacts = {
    trusted: request.trusted,
    model: names === undefined ? 'the chosen model' : shownModel(names.target),
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
    adoption,
  };
}

function decided(
  wanted: readonly NightSkill[],
  facts: NightFacts,
  settings: Parameters<typeof nightReadiness>[1],
): Pick<NightAssessment, 'train' | 'leftOut' | 'broken' | 'stops'> {
  const ready = wanted.filter((each) => each.kind === 'found');
  const readiness = nightReadiness(facts, settings);
  const of = (skill: TrainableSkill['facts']): TrainableSkill | undefined => ready.find((each) => each.facts === skill);
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

function nameOf(found: NightSkill): string {
  return found.kind === 'found' ? found.facts.name : found.name;
}

const run = promisify(execFile);

/** Where the machine's power comes from, as far as it tells. `supplies` is where Linux lists its power supplies. */
export async function powerSource(
  platform: NodeJS.Platform,
  supplies = '/sys/class/power_supply',
): Promise<NightFacts['power']> {
  try {
    if (platform === 'linux') return await linuxPower(supplies);
    if (platform === 'darwin') return macPower((await run('/usr/bin/pmset', ['-g', 'batt'])).stdout);
    return 'unknown';
  } catch {
    return 'unknown'; // a machine that does not tell is not stopped
  }
}

/** `Now drawing from 'Battery Power'` */
export function macPower(text: string): NightFacts['power'] {
  if (text.includes("'Battery Power'")) return 'battery';
  return text.includes("'AC Power'") ? 'mains' : 'unknown';
}

async function linuxPower(folder: string): Promise<NightFacts['power']> {
  const names = await readdir(folder);
  const read = async (name: string, field: string): Promise<string> =>
    (await readFile(path.join(folder, name, field), 'utf8').catch(() => '')).trim();
  const all = await Promise.all(
    names.map(async (name) => ({
      type: await read(name, 'type'),
      online: await read(name, 'online'),
      status: await read(name, 'status'),
      scope: await read(name, 'scope'),
    })),
  );
  if (all.some(({ type, online }) => type === 'Mains' && online === '1')) return 'mains';
  // The battery of a mouse says nothing about the machine.
  const batteries = all.filter(({ type, scope }) => type === 'Battery' && scope !== 'Device');
  if (batteries.some(({ status }) => status === 'Discharging')) return 'battery';
  return batteries.length > 0 ? 'mains' : 'unknown';
}
