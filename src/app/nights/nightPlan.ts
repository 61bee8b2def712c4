import type { NightRequest, RaisedBound } from './nightSkills.js';
import { assessNight, type NightAssessment, type TrainableSkill } from './nightReadiness.js';
import { expectedSessions, looksThroughSessions, type ExpectedSessions } from './nightSessions.js';
import { consolidationSizeOf } from '../runs/bound/consolidationSize.js';
import { preflightOf, type Preflight } from '../runs/preflight.js';
import type { SpendCap } from '../../ports/spend.js';
import { addedTo, capLeft, capLess, nothingTaken, type Taken } from './nightLimits.js';
import type { ToldSize } from '../runs/bound/toldSize.js';
import type { World } from '../world.js';
import type { Blocker } from '../../schedule/preconditions.js';
import { shownModel } from '../../wording/programs/shownModel.js';

/** What the next night would do, before anything is spent. */
export interface NightPlan {
  readonly train: readonly {
    readonly skillPath: string;
    readonly name: string;
    readonly preflight: Preflight;
    /** Whether nights write into it without asking. */
    readonly autoAdopted: boolean;
  }[];
  readonly leftOut: readonly { readonly skillPath: string; readonly name: string; readonly stop: Blocker }[];
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

/** What a night over these skills would train, leave out and cost, for the person who is about to turn it on. */
export async function planNight(world: World, request: NightRequest, signal: AbortSignal): Promise<NightPlan> {
  const first = await assessNight(world, request, signal);
  const isTold = request.consent === 'given' && first.models !== undefined;
  const sessions =
    isTold && (await looksThroughSessions(world, request, first.stops))
      ? await expectedSessions(world, request, first, signal)
      : undefined;
  const assessment =
    sessions === undefined || sessions.drafts.size === 0
      ? first
      : await assessNight(world, request, signal, sessions.drafts);
  const { names } = assessment;
  const train = await plannedRuns(world, { request, assessment }, sessions);
  return {
    train,
    leftOut: assessment.leftOut,
    stops: assessment.stops,
    model: shownModel(names?.target ?? ''),
    simulated: names?.simulated ?? false,
    consented: assessment.consented,
    raised: assessment.train.flatMap(raisedOf),
    sessions,
  };
}

function raisedOf({ raised, facts: { name } }: TrainableSkill): NightPlan['raised'] {
  return raised === undefined ? [] : [{ ...raised, name }];
}

interface RunsToPlan {
  readonly request: NightRequest;
  readonly assessment: NightAssessment;
}

/** One after the other, as the night makes them: what was taken at most before is off the cap of the night. */
async function plannedRuns(
  world: World,
  { request, assessment }: RunsToPlan,
  sessions: NightPlan['sessions'],
): Promise<NightPlan['train']> {
  const { models } = assessment;
  if (models === undefined) return [];
  let taken = sessions?.size === undefined ? nothingTaken : mostOf(sessions.size);
  const train: NightPlan['train'][number][] = [];
  for (const found of assessment.train) {
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
    train.push({ skillPath, name: facts.name, preflight, autoAdopted });
    taken = addedTo(taken, mostOf(preflight));
  }
  return train;
}

function mostOf({ calls, tokens, usd, minutes }: Pick<ToldSize, 'calls' | 'tokens' | 'usd' | 'minutes'>): Taken {
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
