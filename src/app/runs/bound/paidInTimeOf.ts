import { isHandoff } from '../../../models/handoff/handoffModel.js';
import type { SpendCaps } from '../../../ports/spend.js';
import type { PaidInTime } from '../../../wording/preflight/paidInTime.js';
import type { RoleModels } from '../../models/runModels.js';
import { isOwnServer } from './giveUpOf.js';
import type { RunSize } from './runSize.js';

/**
 * Where no model costs money, or all of them are on servers of the person's own, minutes are the price of a run. Undefined
 * where money is, where nobody is asked but the simulated model, and where a person answers in their own time.
 */
export function paidInTimeOf(
  models: RoleModels,
  { usd }: Pick<RunSize, 'usd'>,
  { tokensPerSecond, holds }: { readonly tokensPerSecond: number | undefined; readonly holds: SpendCaps },
): PaidInTime | undefined {
  const all = Object.values(models);
  const asked = all.filter(({ identity }) => !identity.simulated);
  if (asked.length === 0 || all.some(({ identity }) => isHandoff(identity))) return undefined;
  const isFree = usd === undefined ? asked.every(isOwnServer) : usd.high === 0;
  if (!isFree) return undefined;
  const capMinutes = Math.min(...Object.values(holds).map(({ minutes = Infinity }: SpendCaps['run']) => minutes));
  return { tokensPerSecond, capMinutes: capMinutes === Infinity ? undefined : capMinutes };
}
