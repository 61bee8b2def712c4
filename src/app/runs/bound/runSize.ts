import { msOfWork, type RoleWork } from '../../../engine/journal/pace/roleWork.js';
import type { RoleSpend } from '../../../engine/journal/runSummary.js';
import type { Range } from '../../../models/estimate.js';
import { findPrice, moneyFor, type PriceOverrides } from '../../../models/prices.js';
import type { ModelRole } from '../../../ports/languageModel.js';
import type { SpendCaps } from '../../../ports/spend.js';
import type { RoleModels } from '../../models/runModels.js';
import type { RunSetup } from '../runStart.js';
import type { Pace } from '../estimates.js';
import type { AskedOfRoles, CallBound } from './callBound.js';

/** What a plan takes in calls, tokens and money; `low` is the least with a result, `high` the most that is answered. */
export interface RunSize {
  readonly calls: Range;
  readonly tokens: Range;
  /** Undefined as soon as a model that is asked has no known price. */
  readonly usd: Range | undefined;
  readonly usual: {
    readonly calls: number;
    readonly tokens: number;
    readonly usd: number | undefined;
    /** The same of each role; left out where several plans are told together. */
    readonly roles?: RoleWork | undefined;
  };
  /** How long agents usually and at most work, one after the other. */
  readonly workMs?: { readonly usual: number; readonly high: number } | undefined;
}

/** The same with the time that it takes. */
export interface TimedSize extends Omit<RunSize, 'usual' | 'workMs'> {
  readonly minutes: Range & { readonly measured: boolean };
  readonly usual: RunSize['usual'] & { readonly minutes: number };
}

/**
 * What a bound comes to at the prices of the models. Of the attempts so much is usually `batched`, at half the price; the
 * most is at the whole, for a batch may come to nothing.
 */
export function sizeOf(bound: CallBound, models: RoleModels, prices: PriceOverrides | undefined, batched = 0): RunSize {
  const [least, usual] = [bound.least, bound.usual].map((asked) => amountOf(asked, models, prices, batched));
  const most = amountOf(withMore(bound.most, models), models, prices);
  if (least === undefined || usual === undefined) throw new Error('a bound has three ends');
  return {
    ...workOf(bound),
    calls: { low: Math.ceil(least.calls), high: Math.ceil(most.calls) },
    tokens: { low: Math.ceil(least.tokens), high: Math.ceil(most.tokens) },
    usd: least.usd === undefined || most.usd === undefined ? undefined : { low: least.usd, high: most.usd },
    usual: {
      calls: Math.min(Math.ceil(most.calls), Math.max(least.calls, Math.ceil(usual.calls))),
      tokens: Math.min(Math.ceil(most.tokens), Math.max(least.tokens, Math.ceil(usual.tokens))),
      usd: usual.usd === undefined || least.usd === undefined ? undefined : Math.max(least.usd, usual.usd),
      roles: workOfRoles(bound.usual),
    },
  };
}

function workOfRoles({ target, optimizer, judge }: AskedOfRoles): RoleWork {
  return { target: workOfRole(target), optimizer: workOfRole(optimizer), judge: workOfRole(judge) };
}

function workOfRole({ calls, inputTokens, outputTokens }: AskedOfRoles[ModelRole]): RoleWork[ModelRole] {
  return { calls, tokens: inputTokens + outputTokens };
}

/** So much of what each role is asked, where that is known. */
function rolesWithin({ roles }: RunSize['usual'], share: number): Pick<RunSize['usual'], 'roles'> {
  if (roles === undefined) return {};
  const of = ({ calls, tokens }: RoleWork[ModelRole]): RoleWork[ModelRole] => ({
    calls: calls * share,
    tokens: tokens * share,
  });
  return { roles: { target: of(roles.target), optimizer: of(roles.optimizer), judge: of(roles.judge) } };
}

function workOf({ usual, most }: CallBound): Pick<RunSize, 'workMs'> {
  const { workMs: high = 0 } = most.target;
  return high === 0 ? {} : { workMs: { usual: usual.target.workMs ?? 0, high } };
}

/** With what the models may take beyond what they are asked. */
function withMore(asked: AskedOfRoles, models: RoleModels): AskedOfRoles {
  const [target = none, optimizer = none, judge = none] = roles.map((role) => {
    const { calls, inputTokens, outputTokens } = asked[role];
    const more = calls === 0 ? undefined : models[role].takesMore?.({ maxOutputTokens: outputTokens / calls });
    if (more === undefined) return asked[role];
    const [input, output] = [inputTokens + calls * more.inputTokens, outputTokens + calls * more.outputTokens];
    return { ...asked[role], inputTokens: input, outputTokens: output };
  });
  return { target, optimizer, judge };
}

const none = { calls: 0, inputTokens: 0, outputTokens: 0 };

const roles: readonly ModelRole[] = ['target', 'optimizer', 'judge'];

function amountOf(
  asked: AskedOfRoles,
  models: RoleModels,
  prices: PriceOverrides | undefined,
  batched = 0,
): RunSize['usual'] {
  const used = roles.filter((role) => asked[role].calls > 0);
  const money = used.map((role) => {
    const usd = moneyFor(asked[role], findPrice(models[role].identity, prices));
    const isSent = role !== 'optimizer' && models[role].batches !== undefined;
    return isSent && usd !== undefined ? usd * (1 - batched / 2) : usd;
  });
  const known = money.filter((usd) => usd !== undefined);
  return {
    calls: used.reduce((sum, role) => sum + asked[role].calls, 0),
    tokens: used.reduce((sum, role) => sum + asked[role].inputTokens + asked[role].outputTokens, 0),
    usd: known.length < money.length ? undefined : known.reduce((sum, usd) => sum + usd, 0),
  };
}

/**
 * What is left of a run that goes on: what was answered is stored and not asked again. `ending` is what it has yet to do
 * at least, in calls, however much more than usual it did before. Calls that failed or were cut off are booked at their
 * worst and made again: of what such a run paid, nothing is known to be off the most that it may still pay.
 */
export function lessSpent(size: RunSize, spent: RoleSpend, ending: number): RunSize {
  const { calls, tokens, usd, usual } = size;
  const answered = spent.calls - spent.failedCalls - (spent.cancelledCalls ?? 0);
  const paid = spent.exact && answered === spent.calls ? spent : { tokens: 0, usd: 0 };
  const left = {
    calls: lessRange(calls, answered),
    tokens: lessRange(tokens, paid.tokens),
    usd: usd === undefined ? undefined : lessRange(usd, paid.usd ?? 0),
  };
  const usually = Math.min(left.calls.high, Math.max(usual.calls - answered, ending, 1));
  const share = usual.calls === 0 ? 0 : Math.min(1, usually / usual.calls);
  return {
    ...size,
    ...left,
    usual: {
      calls: usually,
      tokens: Math.min(left.tokens.high, Math.ceil(usual.tokens * share)),
      usd: usual.usd === undefined ? undefined : Math.min(left.usd?.high ?? Infinity, usual.usd * share),
      ...rolesWithin(usual, share),
    },
  };
}

function lessRange({ low, high }: Range, by: number): Range {
  return { low: Math.max(0, low - by), high: Math.max(0, high - by) };
}

/** How many agents work side by side, and how long one of them may. */
interface WorkPace {
  readonly concurrency: number;
  readonly longestMs: number;
}

/** With the minutes that it takes, usually by its tokens where earlier runs tell how fast they went, and the work of agents beside them. */
export function timed(
  { usual, workMs = { usual: 0, high: 0 }, ...size }: RunSize,
  { msPerCall, measured, made }: Pace,
  work: WorkPace = { concurrency: 1, longestMs: 0 },
): TimedSize {
  const [low, calls] = [minutesOf(size.calls.low, msPerCall.low), minutesOf(size.calls.high, msPerCall.high)];
  const high = calls + workMinutes(workMs.high, work);
  // What was measured has the work in it.
  const working = measured ? 0 : workMinutes(workMs.usual, work);
  const byTokens =
    made === undefined || usual.roles === undefined ? undefined : msOfWork(usual.roles, made.roles, made.ms);
  const byCalls = usual.calls * Math.sqrt(msPerCall.low * msPerCall.high);
  const between = (byTokens ?? byCalls) / 60_000 + working;
  return {
    ...size,
    minutes: { low: Math.min(low, between), high: Math.max(high, between), measured },
    usual: { ...usual, minutes: between },
  };
}

/** Side by side, and the last one may begin when all others are done. */
function workMinutes(ms: number, { concurrency, longestMs }: WorkPace): number {
  return Math.min(ms, ms / concurrency + longestMs) / 60_000;
}

function minutesOf(calls: number, ms: number): number {
  return (calls * ms) / 60_000;
}

/** All caps that a run is held by: its own, and those of the day and the month. */
export function capsOf({ world, options }: Pick<RunSetup, 'world' | 'options'>): SpendCaps {
  const { day, month } = world.caps();
  return { run: options.caps, day, month };
}

/** What a plan takes at most under the caps that are set. */
export interface HeldSize extends TimedSize {
  /** The most calls are those of a cap: repeats of failed ones are among them. */
  readonly repeatsHeld: boolean;
}

/**
 * No run takes more than a cap that is set, and no longer than the calls take that it leaves. What it spent before it was
 * cut off counts against its own.
 */
export function underCaps(size: TimedSize, caps: SpendCaps, spent?: RoleSpend): HeldSize {
  const limit = (of: 'calls' | 'tokens' | 'usd' | 'minutes', before: number): number => {
    const run = caps.run[of];
    const periods = [caps.day[of], caps.month[of]].filter((cap) => cap !== undefined);
    return Math.min(run === undefined ? Infinity : Math.max(0, run - before), ...periods);
  };
  const most = {
    calls: limit('calls', spent?.calls ?? 0),
    tokens: limit('tokens', spent?.tokens ?? 0),
    usd: limit('usd', spent?.usd ?? 0),
    minutes: limit('minutes', 0),
  };
  const { calls, tokens, usd, minutes, usual } = size;
  const usually = shareOf(usual.calls, most.calls);
  const lasting = (time: number, asked: number): number => Math.min(time * shareOf(asked, most.calls), most.minutes);
  return {
    repeatsHeld: most.calls <= calls.high,
    calls: held(calls, most.calls),
    tokens: held(tokens, most.tokens),
    usd: usd === undefined ? undefined : held(usd, most.usd),
    minutes: {
      low: lasting(minutes.low, calls.low),
      high: lasting(minutes.high, calls.high),
      measured: minutes.measured,
    },
    usual: {
      calls: Math.min(usual.calls, most.calls),
      tokens: Math.min(Math.ceil(usual.tokens * usually), most.tokens),
      usd: usual.usd === undefined ? undefined : Math.min(usual.usd * usually, most.usd),
      ...rolesWithin(usual, usually),
      minutes: lasting(usual.minutes, usual.calls),
    },
  };
}

/** How much of so many calls a cap lets through. */
function shareOf(calls: number, cap: number): number {
  return calls <= cap ? 1 : cap / calls;
}

function held({ low, high }: Range, by: number): Range {
  return { low: Math.min(low, by), high: Math.min(high, by) };
}
