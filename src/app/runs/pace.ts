import { totalSpend, type RunSummary } from '../../engine/journal/runSummary.js';
import type { Range } from '../../models/estimate.js';
import { isOnThisMachine } from '../../models/prices.js';
import type { RoleModels } from '../models/runModels.js';

/** How long a run works for each call it makes, in milliseconds; calls side by side make it less than a call takes. */
export interface Pace {
  readonly msPerCall: Range;
  /** True where earlier runs of this skill on this model tell; a guess otherwise. */
  readonly measured: boolean;
}

const fewestCalls = 10; // below this the start of a run is most of it
const mostRuns = 5;

/** Earlier runs on the same target know best; without any, what calls of that kind usually take. */
export function paceOf(
  runs: readonly RunSummary[],
  target: string,
  { models, concurrency }: { readonly models: RoleModels; readonly concurrency: number },
): Pace {
  const known = runs
    .filter((run) => run.models?.target === target && totalSpend(run).calls >= fewestCalls && run.workedMs > 0)
    .slice(0, mostRuns)
    .map((run) => run.workedMs / totalSpend(run).calls);
  if (known.length > 0)
    return { msPerCall: { low: 0.8 * Math.min(...known), high: 1.5 * Math.max(...known) }, measured: true };
  return { msPerCall: usualPace(models.target.identity, concurrency), measured: false };
}

/** Minutes for so many calls. */
export function minutesFor(calls: Range, { msPerCall }: Pace): Range {
  const minutes = (end: 'low' | 'high'): number => (calls[end] * msPerCall[end]) / 60_000;
  return { low: minutes('low'), high: minutes('high') };
}

/** A call takes 1.5 to 20 seconds; a server takes many side by side, a model on this machine few. */
function usualPace({ simulated, endpoint }: RoleModels['target']['identity'], concurrency: number): Range {
  if (simulated) return { low: 1, high: 20 };
  if (isOnThisMachine(endpoint)) return { low: 1_500 / Math.min(4, concurrency), high: 20_000 };
  return { low: 1_500 / concurrency, high: 20_000 / Math.min(8, concurrency) };
}
