import type { RunOptions } from '../../engine/runOptions.js';
import type { RoleModels } from '../models/runModels.js';
import { consolidationSizeOf } from '../runs/bound/consolidationSize.js';
import { sizeOfRun } from '../runs/preflight.js';
import type { RunSetup } from '../runs/runStart.js';

/** The most that a night may take for one skill. */
export interface NightBound {
  readonly calls: number;
  readonly tokens: number;
}

/** The bound of a night that these options make; the caps among them count. */
export async function nightBoundOf(setup: RunSetup, models: RoleModels): Promise<NightBound> {
  const sized = { ...setup, ...(await consolidationSizeOf(setup, { alone: true, night: true })), prices: {} };
  const { calls, tokens } = await sizeOfRun(sized, models);
  const { caps } = setup.options;
  const mostCalls = Math.min(calls.high, caps.calls ?? Infinity);
  // Fewer calls take their share of the tokens.
  const ofThese = calls.high === 0 ? 0 : Math.ceil((tokens.high * mostCalls) / calls.high);
  return { calls: mostCalls, tokens: Math.min(ofThese, caps.tokens ?? Infinity) };
}

/** Whether a night would take more, or show the target more, than what was agreed to. */
export function isRaised(
  former: { readonly bound: NightBound; readonly options: RunOptions },
  now: { readonly bound: NightBound; readonly options: RunOptions },
): boolean {
  return (
    now.bound.calls > former.bound.calls ||
    now.bound.tokens > former.bound.tokens ||
    shownTokens(now.options) > shownTokens(former.options)
  );
}

/** How much of the files beside the skill the target may be shown. */
function shownTokens({ inlineReferences, referenceTokens }: RunOptions): number {
  return inlineReferences ? referenceTokens : 0;
}
