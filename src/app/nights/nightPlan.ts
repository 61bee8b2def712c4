import type { NightRequest, RaisedBound } from './nightSkills.js';
import { assessNight, type NightAssessment, type TrainableSkill } from './nightReadiness.js';
import { expectedSessions, looksThroughSessions, type ExpectedSessions } from './nightSessions.js';
import { batchTimeOfAll } from '../runs/bound/batchRounds.js';
import { consolidationSizeOf } from '../runs/bound/consolidationSize.js';
import { preflightOf, type Preflight } from '../runs/preflight.js';
import type { SpendCap } from '../../ports/spend.js';
import { lineUp, type LineUp } from './fleet/lineUp.js';
import { addedTo, capLeft, capLess, nothingTaken, type NightUse } from './nightLimits.js';
import type { ToldSize } from '../runs/bound/toldSize.js';
import type { World } from '../world.js';
import type { Blocker } from '../../schedule/preconditions.js';
import { batchesOfAll } from '../../wording/nights/batchLines.js';
import { shownModel } from '../../wording/programs/shownModel.js';

/** What the next night would do, before anything is spent. */
export interface NightPlan {
  readonly train: readonly {
    readonly skillPath: string;
    readonly name: string;
    readonly preflight: Preflight;
    /** Whether nights write into it without asking. */
    readonly autoAdopted: boolean;
    /** Why it has its place; missing where there is room for all. */
    readonly place?: string;
  }[];
  /** How the places are given, and who has to wait; missing where there is room for all. */
  readonly fleet?: { readonly sentence: string; readonly later: readonly WaitingSkill[] };
  /** How long the batches of all of them may take; missing where fewer than two send any. */
  readonly batches?: string;
  readonly leftOut: readonly { readonly skillPath: string; readonly name: string; readonly stop: Blocker }[];
  /** Skills that cannot be read, and why. */
  readonly broken: readonly { readonly skillPath: string; readonly name: string; readonly reason: string }[];
  readonly stops: readonly Blocker[];
  /** How the models are named; the simulated one says so. */
  readonly model: string;
  readonly simulated: boolean;
  readonly consented: boolean;
  /** Skills for which the workspace's options would raise what a night may take above what was agreed to. */
  readonly raised: readonly (RaisedBound & { readonly name: string })[];
  /** What it would look through first; only where a person is told what the night takes, and sessions may be read. */
  readonly sessions: Pick<ExpectedSessions, 'read' | 'size'> | undefined;
}

/** A skill that a night has no room for; it is trained all the same where the others take less than is expected. */
export interface WaitingSkill {
  readonly skillPath: string;
  readonly name: string;
  readonly tasks: Pick<Preflight['tasks'], 'training' | 'heldOut'>;
  readonly autoAdopted: boolean;
  /** When it has its turn, and what is expected of it. */
  readonly place: string;
}

/** What a night over these skills would train, leave out and cost, for the person who is about to turn it on. */
export async function planNight(world: World, request: NightRequest, signal: AbortSignal): Promise<NightPlan> {
  const first = await assessNight(world, request, signal);
  const sessions = await toldSessions(world, request, first, signal);
  const assessment =
    sessions === undefined || sessions.drafts.size === 0
      ? first
      : await assessNight(world, request, signal, sessions.drafts);
  const { names, models } = assessment;
  const taken = takenFor(sessions);
  const line = await lineUp(world, { request, train: assessment.train, models, taken });
  const train = await plannedRuns(world, { request, assessment, line }, taken);
  return {
    train,
    ...fleetOf(line, assessment),
    ...batchesOf(train),
    leftOut: assessment.leftOut,
    broken: assessment.broken.map(({ skillPath, name, reason }) => ({ skillPath, name, reason })),
    stops: assessment.stops,
    model: shownModel(names?.target ?? ''),
    simulated: names?.simulated ?? false,
    consented: assessment.consented,
    raised: assessment.train.flatMap(raisedOf),
    sessions,
  };
}

/** What it would look through first, where a person is told what the night takes. */
async function toldSessions(
  world: World,
  request: NightRequest,
  first: NightAssessment,
  signal: AbortSignal,
): Promise<ExpectedSessions | undefined> {
  const looks = request.consent === 'given' && (await looksThroughSessions(world, request, first.stops));
  if (!looks) return undefined;
  if (first.models !== undefined) return expectedSessions(world, request, first, signal);
  // No skill is trained, and the sessions are looked through all the same; without a model nothing can be told of it.
  return expectedSessions(world, request, first, signal).catch(() => undefined);
}

function raisedOf({ raised, facts: { name } }: TrainableSkill): NightPlan['raised'] {
  return raised === undefined ? [] : [{ ...raised, name }];
}

function fleetOf(
  { sentence, later, placeOf }: LineUp,
  { adoption }: NightAssessment,
): { readonly fleet?: NonNullable<NightPlan['fleet']> } {
  if (sentence === undefined) return {};
  const waiting = later.map((found): WaitingSkill => {
    const { training, heldOut } = found.tasks.result.split;
    return {
      skillPath: found.skillPath,
      name: found.facts.name,
      tasks: { training: training.length, heldOut: heldOut.length },
      autoAdopted: adoption.adoptsOnceAgreed(found.skill.places.skillPath),
      place: placeOf(found) ?? '',
    };
  });
  return { fleet: { sentence, later: waiting } };
}

function batchesOf(train: NightPlan['train']): { readonly batches?: string } {
  const times = train.flatMap(({ preflight }) => preflight.batchTime ?? []);
  return times.length < 2 ? {} : { batches: batchesOfAll({ skills: times.length, ...batchTimeOfAll(times) }) };
}

interface RunsToPlan {
  readonly request: NightRequest;
  readonly assessment: NightAssessment;
  readonly line: LineUp;
}

/** One after the other, as the night makes them: what was taken at most before is off the cap of the night. */
async function plannedRuns(
  world: World,
  { request, assessment, line }: RunsToPlan,
  before: NightUse,
): Promise<NightPlan['train']> {
  const { models } = assessment;
  if (models === undefined) return [];
  let taken = before;
  const train: NightPlan['train'][number][] = [];
  for (const found of line.chosen) {
    const { skillPath, skill, tasks, facts, notes, ownCaps } = found;
    const how = { alone: assessment.train.length === 1, night: true };
    const { options, consolidated } = await consolidationSizeOf(found, how);
    const own = capLess(options.caps, train.length === 0 ? taken : nothingTaken);
    const caps = { ...own, ...capLeft(own, request.cap, taken) };
    const setup = {
      world,
      skill,
      tasks,
      options: { ...options, caps },
      ownCaps,
      notes,
      consolidated,
      night: true as const,
    };
    const preflight = withCaps(await preflightOf(setup, models), found, request.cap);
    const autoAdopted = assessment.adoption.adoptsOnceAgreed(skill.places.skillPath);
    const place = line.placeOf(found);
    train.push({ skillPath, name: facts.name, preflight, autoAdopted, ...(place === undefined ? {} : { place }) });
    taken = addedTo(taken, mostOf(preflight));
  }
  return train;
}

/** What looking through sessions takes at most. */
function takenFor(sessions: NightPlan['sessions']): NightUse {
  return sessions?.size === undefined ? nothingTaken : mostOf(sessions.size);
}

function mostOf({ calls, tokens, usd, minutes }: Pick<ToldSize, 'calls' | 'tokens' | 'usd' | 'minutes'>): NightUse {
  return { calls: calls.high, tokens: tokens.high, usd: usd?.high, minutes: minutes.high };
}

/** With the caps as they were set, whatever was taken before. */
function withCaps(preflight: Preflight, { options, ownCaps }: TrainableSkill, night: SpendCap = {}): Preflight {
  const { holds, ownHolds } = preflight;
  return {
    ...preflight,
    holds: { ...holds, run: withinNight(options.caps, night) },
    ownHolds: { ...ownHolds, run: withinNight(ownCaps, night) },
  };
}

/** A night takes no more dollars than it has as a whole. */
function withinNight(caps: SpendCap, night: SpendCap = {}): SpendCap {
  const usd = Math.min(caps.usd ?? Infinity, night.usd ?? Infinity);
  return usd === Infinity ? caps : { ...caps, usd };
}
