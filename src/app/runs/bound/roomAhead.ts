import type { RunOptions } from '../../../engine/runOptions.js';
import type { PriceOverrides } from '../../../models/prices.js';
import type { Spend, SpendCap, SpendCaps, SpendLedger } from '../../../ports/spend.js';
import type { HeldOutTask, TrainingTask } from '../../../tasks/task.js';
import type { RoleModels } from '../../models/runModels.js';
import { attemptBounds, type BoundInput } from './attemptBound.js';
import { sumOfBounds, times } from './callBound.js';
import { sizeOf, type RunSize } from './runSize.js';

/** What is attempted beside each other, and what holds it. */
interface BesideEachOther extends BoundInput {
  readonly options: RunOptions;
  readonly models: RoleModels;
  readonly prices: PriceOverrides;
  readonly heldOut: readonly HeldOutTask[];
  readonly training: readonly TrainingTask[];
  readonly caps: SpendCaps;
  readonly ledger: SpendLedger;
  readonly runId: string;
}

/**
 * Whether every cap leaves room for the baseline together with the attempts that are made ahead of their stage, both at
 * their most. Where one does not, it would depend on chance which of them it cuts off: then nothing is made ahead.
 */
export async function leavesRoomAhead(beside: BesideEachOther): Promise<boolean> {
  const { caps, ledger, heldOut, training, options } = beside;
  const limits = [caps.run, caps.day, caps.month];
  if (!limits.some(({ calls, tokens, usd }) => [calls, tokens, usd].some((limit) => limit !== undefined))) return true;
  const baseline = sumOfBounds(heldOut.map((await attemptBounds(beside, heldOut)).of));
  const ahead = Math.min(options.concurrency, training.length * options.train.attempts);
  const often = { least: ahead, usual: ahead, most: ahead };
  const bound = sumOfBounds([baseline, times((await attemptBounds(beside, training)).dearest, often)]);
  const size = sizeOf(bound, beside.models, beside.prices);
  const spent = await Promise.all([ledger.spentInRun(beside.runId), ledger.spentToday(), ledger.spentThisMonth()]);
  return limits.every((cap, index) => fits(size, cap, spent[index]));
}

function fits(size: RunSize, cap: SpendCap, spent: Spend | undefined): boolean {
  return (
    isWithin(cap.calls, size.calls.high, spent?.calls) &&
    isWithin(cap.tokens, size.tokens.high, spent?.tokens) &&
    isWithin(cap.usd, size.usd?.high, spent?.usd)
  );
}

/** What nobody can tell counts as too much. */
function isWithin(limit: number | undefined, most: number | undefined, before: number | undefined): boolean {
  return limit === undefined || (most !== undefined && before !== undefined && before + most <= limit);
}
