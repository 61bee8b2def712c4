import { tokensOf } from '../../../engine/journal/pace/roleWork.js';
import type { RoleSpend } from '../../../engine/journal/runSummary.js';
import { capLines, earlierRuns, priceLines, unpricedLines } from '../../models/modelNotes.js';
import { modelNames, type RoleModels } from '../../models/runModels.js';
import { statedPrices, unpricedLocal } from '../../models/serverCosts.js';
import { type Pace, paceOf } from '../estimates.js';
import type { Preflight } from '../preflight.js';
import type { RunSetup } from '../runStart.js';
import { giveUpOf } from './giveUpOf.js';
import { paidInTimeOf } from './paidInTimeOf.js';
import { startlessLines } from './lowCaps.js';
import { capsOf, timed, underCaps, type HeldSize, type RunSize } from './runSize.js';

/** What is told of anything that asks models before it begins: what it takes, on which models, and what holds it. */
export interface ToldSize
  extends
    HeldSize,
    Pick<
      Preflight,
      | 'skillName'
      | 'models'
      | 'plan'
      | 'servers'
      | 'prices'
      | 'holds'
      | 'ownHolds'
      | 'callCap'
      | 'caps'
      | 'cannotWork'
      | 'givesUp'
      | 'paidInTime'
    > {}

interface SizeToTell {
  readonly whole: RunSize;
  /** What of it is left to do, and what was spent before, where it goes on. */
  readonly left?: RunSize | undefined;
  readonly spent?: RoleSpend | undefined;
  /** What is to be said of caps that are set, beside what they cannot hold. */
  readonly lowCaps?: readonly string[];
}

/**
 * A size in time and under the caps that are set. Where a model on this machine has no known price, no more calls are made
 * than the whole takes at most.
 */
export async function toldSizeOf(
  { world, skill, options, ownCaps = {} }: Pick<RunSetup, 'world' | 'skill' | 'options' | 'ownCaps'>,
  models: RoleModels,
  { whole, left = whole, spent, lowCaps = [] }: SizeToTell,
): Promise<ToldSize> {
  const prices = await statedPrices(world);
  const names = modelNames(models);
  const pace = paceOf(await earlierRuns(skill), names.target, { models, concurrency: options.concurrency });
  const holds = capsOf({ world, options });
  const unpriced = unpricedLocal(models, prices);
  const callCap = unpriced.length === 0 ? undefined : Math.min(whole.calls.high, options.caps.calls ?? Infinity);
  const held = callCap === undefined ? holds : { ...holds, run: { ...holds.run, calls: callCap } };
  const work = { concurrency: options.concurrency, longestMs: options.agent.minutes * 60_000 };
  const cannotWork = [...startlessLines(models, holds), ...lowCaps];
  return {
    ...underCaps(timed(left, pace, work), held, spent),
    paidInTime: paidInTimeOf(models, whole, { tokensPerSecond: tokensPerSecond(pace), holds }),
    skillName: skill.name,
    models: names,
    plan: unpriced.find(({ subscription }) => subscription !== undefined)?.subscription,
    servers: serversOf(models),
    prices: priceLines(models, prices),
    holds,
    ownHolds: { ...holds, run: ownCaps },
    callCap,
    cannotWork,
    caps: [
      ...(callCap === undefined ? [] : unpricedLines(unpriced, callCap, options.caps.calls)),
      ...cannotWork,
      ...capLines(models, prices, [options.caps, ...Object.values(world.caps())]),
    ],
    givesUp: giveUpOf(models),
  };
}

/** Sent and received, as earlier runs came to. */
function tokensPerSecond({ made }: Pace): number | undefined {
  return made === undefined ? undefined : (1_000 * tokensOf(made.roles)) / made.ms;
}

/** Models that are reached by an address: neither the simulated one nor those that VS Code offers. */
function serversOf(models: RoleModels): readonly string[] {
  const addresses = Object.values(models).map(({ identity }) => identity.endpoint);
  return [...new Set(addresses.filter((address) => /^https?:/.test(address)))];
}
