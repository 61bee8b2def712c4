import { grouped } from '../../wording/amounts.js';
import type { Spend, SpendCap } from '../../ports/spend.js';
import { openLedger } from '../../storage/spend/spendLedger.js';
import { sumOf } from '../../storage/spend/spendTotals.js';
import { totalSpend, type RunSummary } from '../../engine/journal/runSummary.js';
import type { UserStore } from '../../storage/state/store.js';
import type { NightSpend } from './nightResult.js';
import type { OptimizeResult } from '../runs/optimize.js';
import type { World } from '../world.js';
import type { Proposal } from '../../ports/proposal.js';
import { canonicalJson } from '../../hash.js';
import { allow, isAllowed, type ConsentRequest } from '../../storage/state/consents.js';
import { placeOf } from '../../storage/state/nightPlace.js';
import { namesSimulated } from '../models/runModels.js';
import { usdFigure } from '../../usdFigure.js';

/** The cap that leaves no room for another call, in words; undefined where there is room. */
export async function reachedCap(world: World, store: UserStore): Promise<string | undefined> {
  const { day, month } = world.caps();
  const ledger = openLedger(store);
  try {
    return (
      reached('the daily cap', await ledger.spentToday(), day) ??
      reached('the monthly cap', await ledger.spentThisMonth(), month)
    );
  } finally {
    await ledger.close();
  }
}

/** What a night may still take, by its own cap and by those of the day and the month; nothing is said of what none holds. */
export async function nightBudget(
  world: World,
  store: UserStore,
  { cap = {}, taken }: { readonly cap?: SpendCap | undefined; readonly taken: NightUse },
): Promise<Pick<SpendCap, 'calls' | 'tokens' | 'usd'>> {
  const { day, month } = world.caps();
  const own = capLeft({}, cap, taken);
  if (![day, month].some(({ calls, tokens, usd }) => (calls ?? tokens ?? usd) !== undefined)) return own;
  const ledger = openLedger(store);
  try {
    const today = capLeft(own, day, await ledger.spentToday());
    return capLeft(today, month, await ledger.spentThisMonth());
  } finally {
    await ledger.close();
  }
}

/** What these runs are booked at, whatever became of them. */
export async function spentInRuns(store: UserStore, runIds: readonly string[]): Promise<NightSpend> {
  const ledger = openLedger(store);
  try {
    let sum: Spend = { calls: 0, tokens: 0, usd: 0, exact: true };
    for (const runId of runIds) sum = sumOf(sum, await ledger.spentInRun(runId));
    return { calls: sum.calls, tokens: sum.tokens, usd: sum.usd };
  } finally {
    await ledger.close();
  }
}

/** The run that a skill was trained in and what it is booked at; the price of a part of it alone is not told as the whole. */
export async function usedBy(
  store: UserStore,
  run: RunSummary | undefined,
): Promise<{ readonly runId?: string; readonly spend?: NightSpend }> {
  if (run === undefined) return {};
  const spend = await spentInRuns(store, [run.runId]);
  return { runId: run.runId, spend: totalSpend(run).usd === undefined ? { ...spend, usd: undefined } : spend };
}

/** What is left of the night's cap for the next run, within the caps that the run has of its own. */
export function capLeft(own: SpendCap, night: SpendCap | undefined, spent: NightSpend): SpendCap {
  return {
    calls: smaller(own.calls, rest(night?.calls, spent.calls)),
    tokens: smaller(own.tokens, rest(night?.tokens, spent.tokens)),
    usd: smaller(own.usd, rest(night?.usd, spent.usd ?? 0)),
  };
}

/** What was taken before a run, which its caps hold too. */
export interface NightUse extends NightSpend {
  readonly minutes: number;
}

export const nothingTaken: NightUse = { calls: 0, tokens: 0, usd: 0, minutes: 0 };

/** Both together; of money what is known. */
export function addedTo(taken: NightUse, spend: NightSpend): NightUse {
  return {
    calls: taken.calls + spend.calls,
    tokens: taken.tokens + spend.tokens,
    usd: (taken.usd ?? 0) + (spend.usd ?? 0),
    minutes: taken.minutes,
  };
}

/** What is left of the caps of a run that something was taken for before. */
export function capLess(run: SpendCap, { calls, tokens, usd, minutes }: NightUse): SpendCap {
  return {
    calls: rest(run.calls, calls),
    tokens: rest(run.tokens, tokens),
    usd: rest(run.usd, usd ?? 0),
    minutes: rest(run.minutes, minutes),
  };
}

/**
 * What looking through sessions may take: it is paid out of the cap of the run that comes first, to which half is left
 * where there is one.
 */
export function capForSessions(runs: readonly SpendCap[], night: SpendCap = {}, isTrained: boolean): SpendCap {
  const run = runs.reduce(leastOf, {});
  return leastOf(isTrained ? halfOf(run) : run, night);
}

function leastOf(a: SpendCap, b: SpendCap): SpendCap {
  return {
    calls: smaller(a.calls, b.calls),
    tokens: smaller(a.tokens, b.tokens),
    usd: smaller(a.usd, b.usd),
    minutes: smaller(a.minutes, b.minutes),
  };
}

function halfOf({ calls, tokens, usd, minutes }: SpendCap): SpendCap {
  return {
    calls: calls === undefined ? undefined : Math.ceil(calls / 2),
    tokens: tokens === undefined ? undefined : Math.ceil(tokens / 2),
    usd: usd === undefined ? undefined : usd / 2,
    minutes: minutes === undefined ? undefined : minutes / 2,
  };
}

/** The cap of a run that what was taken before has used up, in words. */
export function runCapReached(run: SpendCap, taken: NightUse): string | undefined {
  return reached('the cap of a run', taken, run);
}

/** The night's own cap once it is used up, in words. */
export function nightCapReached(night: SpendCap | undefined, spent: NightSpend): string | undefined {
  return night === undefined ? undefined : reached('the cap of this night', spent, night);
}

/** What is said of a run that its cap ended: it is tried again as it is, which should surprise nobody. */
export function cappedNotes({ proposal, noProposal: nothing }: OptimizeResult): readonly string[] {
  const verdict = proposal?.verdict;
  const isCapped = nothing?.cause === 'cap' || (verdict?.kind === 'inconclusive' && verdict.cause === 'cap');
  return isCapped ? [goesOnTomorrow] : [];
}

const goesOnTomorrow =
  'The next night goes on with it under the same cap and pays for no answer twice; with a higher one it comes further in a night.';

function reached(name: string, spent: Pick<Spend, 'calls' | 'tokens' | 'usd'>, cap: SpendCap): string | undefined {
  if (cap.usd !== undefined && (spent.usd ?? 0) >= cap.usd) return `${name} of ${usdFigure(cap.usd)} USD`;
  if (cap.tokens !== undefined && spent.tokens >= cap.tokens) return `${name} of ${grouped(cap.tokens)} tokens`;
  if (cap.calls !== undefined && spent.calls >= cap.calls) return `${name} of ${grouped(cap.calls)} calls`;
  return undefined;
}

function rest(cap: number | undefined, spent: number): number | undefined {
  return cap === undefined ? undefined : Math.max(0, cap - spent);
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : Math.min(a, b);
}

/** Whether the person agreed that nights send these folders' tasks to these models. The simulated one sends nothing. */
export async function hasModelConsent(
  store: UserStore,
  folders: readonly string[],
  models: Proposal['models'],
): Promise<boolean> {
  return staysHere(models) || isAllowed(store, consentFor(folders, models));
}

/** Writes the person's agreement down, for exactly these folders and models. */
export async function giveModelConsent(
  store: UserStore,
  folders: readonly string[],
  models: Proposal['models'],
  signal: AbortSignal,
): Promise<void> {
  if (!staysHere(models)) await allow(store, consentFor(folders, models), signal);
}

/** Another model or another folder is another question. */
function consentFor(folders: readonly string[], { target, optimizer, judge }: Proposal['models']): ConsentRequest {
  return { what: 'model', content: canonicalJson({ place: placeOf(folders), target, optimizer, judge }) };
}

/** Whether nothing that these models are asked leaves the machine. */
export function staysHere({ target, optimizer, judge }: Proposal['models']): boolean {
  return [target, optimizer, judge].every(namesSimulated);
}
