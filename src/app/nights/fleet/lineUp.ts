import { sha256 } from '../../../hash.js';
import { fits, planFleet, type Amounts, type FleetPlan, type FleetSkill } from '../../../schedule/fleet/fleetPlan.js';
import type { Blocker } from '../../../schedule/preconditions.js';
import { allowedSources } from '../../../storage/harvest/allowedSessions.js';
import { fleetSentence, laterSentence, placeSentences } from '../../../wording/nights/fleetWords.js';
import { english } from '../../../wording/translate.js';
import { keptUsage } from '../../harvest/keptUsage.js';
import { statedPrices } from '../../models/serverCosts.js';
import type { RoleModels } from '../../models/runModels.js';
import { consolidationSizeOf } from '../../runs/bound/consolidationSize.js';
import { sizeOfRun } from '../../runs/preflight.js';
import { userStore, type World } from '../../world.js';
import { lastNight } from '../lastNight.js';
import { nightBudget, type NightUse } from '../nightLimits.js';
import type { TrainableSkill } from '../nightReadiness.js';
import type { NightRequest } from '../nightSkills.js';
import { foldersOf } from '../unconfirmedTasks.js';
import { runHistories } from './runHistory.js';

/** The skills of a night in the order in which they are trained, with what is said of each place. */
export interface LineUp {
  /** Those that there is room for. */
  readonly chosen: readonly TrainableSkill[];
  /** The others, next first: trained all the same where the ones before take less than was expected. */
  readonly later: readonly TrainableSkill[];
  /** How the places were given; undefined where there is room for all. */
  readonly sentence: string | undefined;
  /** Why a skill has its place, and what is expected of it; undefined where there is room for all. */
  readonly placeOf: (found: TrainableSkill, what?: 'planned' | 'trained') => string | undefined;
  /** What keeps a skill out once the runs before it have taken so much. */
  readonly waitOf: (found: TrainableSkill, taken: Amounts) => Blocker | undefined;
}

interface NightToLineUp {
  readonly request: NightRequest;
  readonly train: readonly TrainableSkill[];
  readonly models: RoleModels | undefined;
  /** What looking through sessions took, or is expected to take. */
  readonly taken: NightUse;
}

/** Gives the places of a night. As the person named the skills where there is room for all. Writes nothing. */
export async function lineUp(world: World, night: NightToLineUp): Promise<LineUp> {
  const { request, train, models, taken } = night;
  const store = await userStore(world, 'look');
  const budget = await nightBudget(world, store, { cap: request.cap, taken });
  const isCapped = Object.values(budget).some((most) => most !== undefined);
  if (models === undefined || train.length < 2 || !isCapped) return inOrderGiven(train);
  const prices = await statedPrices(world);
  const costs = await Promise.all(train.map((found) => costOf(found, models, { prices, budget })));
  const candidates = await candidatesOf(world, night, costs);
  const plan = planFleet(candidates, budget, drawOf(candidates));
  return plan === undefined ? inOrderGiven(train) : planned(plan, budget);
}

/** A skill of the fleet with what is known of it. */
interface Candidate extends FleetSkill {
  readonly found: TrainableSkill;
  /** When a run was last begun for it; 0 where none ever was. */
  readonly triedAt: number;
}

function inOrderGiven(train: readonly TrainableSkill[]): LineUp {
  return { chosen: train, later: [], sentence: undefined, placeOf: () => undefined, waitOf: () => undefined };
}

function planned(plan: FleetPlan<Candidate>, budget: Amounts): LineUp {
  const chosen = new Map(plan.chosen.map((each) => [each.skill.found, each]));
  const later = new Map(plan.later.map((each) => [each.skill.found, each]));
  return {
    chosen: [...chosen.keys()],
    later: [...later.keys()],
    sentence: fleetSentence({ budget, chosen: chosen.size, skills: chosen.size + later.size }, english),
    placeOf: (found, what = 'planned') => {
      const [has, waits] = [chosen.get(found), later.get(found)];
      if (has !== undefined) return placeSentences(has.why, has.worth, has.skill.cost, english);
      if (waits === undefined) return undefined;
      const place = what === 'trained' ? 'left over' : waits.inNights;
      return placeSentences(place, waits.worth, waits.skill.cost, english);
    },
    waitOf: (found, taken) => {
      const waiting = later.get(found);
      if (waiting === undefined || fits(waiting.skill.cost, taken, budget)) return undefined;
      return { name: 'later-night', sentence: laterSentence(found.facts.name, english), cure: '' };
    },
  };
}

/** What a run usually takes within its caps, in the units that the night is held in. */
async function costOf(
  found: TrainableSkill,
  models: RoleModels,
  { prices, budget }: { readonly prices: Awaited<ReturnType<typeof statedPrices>>; readonly budget: Amounts },
): Promise<Amounts> {
  const sized = await consolidationSizeOf(found, { alone: false, night: true });
  const { usual } = await sizeOfRun({ ...found, ...sized, prices }, models);
  const { caps } = found.options;
  const within = (unit: keyof Amounts): number | undefined =>
    budget[unit] === undefined ? undefined : Math.min(usual[unit] ?? 0, caps[unit] ?? Infinity);
  return { calls: within('calls'), tokens: within('tokens'), usd: within('usd') };
}

async function candidatesOf(
  world: World,
  { request, train }: NightToLineUp,
  costs: readonly Amounts[],
): Promise<readonly Candidate[]> {
  const historyOf = await runHistories(train.map(({ skill }) => skill));
  const usesOf = await usesIn(world, request);
  return Promise.all(
    train.map(async (found, index) => {
      const { triedAt: inRuns = 0, ...history } = historyOf(found.skill);
      const triedAt = Math.max(inRuns, (await lastNight(found.skill).triedAt()) ?? 0);
      const daysSinceTried = triedAt === 0 ? undefined : Math.max(0, world.clock.now() - triedAt) / dayMs;
      return { ...history, found, triedAt, daysSinceTried, uses: usesOf(found), cost: costs[index] ?? {} };
    }),
  );
}

const dayMs = 24 * 3_600_000;

/** Counted only where the person lets sessions be read; a skill that nobody used then counts as such. */
async function usesIn(world: World, request: NightRequest): Promise<(found: TrainableSkill) => number | undefined> {
  const store = await userStore(world, 'look');
  if ((await allowedSources(store)).size === 0) return () => undefined;
  const usage = await keptUsage(store, foldersOf(request));
  const fired = new Map(usage?.skills.map((skill) => [skill.skillPath, skill.fired]));
  return ({ skill }) => fired.get(skill.places.skillPath);
}

/** From 0 to 1, and the same as long as nothing is trained: what is shown before the night is what it does. */
function drawOf(candidates: readonly Candidate[]): number {
  const seed = candidates.map(({ found, triedAt }) => `${found.facts.path} ${triedAt}`).join('\n');
  return Number.parseInt(sha256(seed).slice(0, 8), 16) / 2 ** 32;
}
