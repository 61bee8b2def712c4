import type { RunBatches } from '../../models/batch/gatheredCalls.js';
import { composeModel } from '../../models/wrappers/composeModel.js';
import { findPrice, moneyFor, type Price, type PriceOverrides } from '../../models/prices.js';
import { serverAddress } from '../../models/local/serverAddress.js';
import { createRateLimiter, type RateLimiter } from '../../models/wrappers/rateLimiter.js';
import { ServerPlaces } from '../../models/wrappers/serverPlaces.js';
import type { CallEntry } from '../../models/wrappers/withJournal.js';
import { inThisProcess, withRunner } from '../../models/wrappers/withRunner.js';
import type { LanguageModel, ModelRole, ModelUsage } from '../../ports/languageModel.js';
import type { Proposal } from '../../ports/proposal.js';
import type { ReplyStore } from '../../ports/stores.js';
import type { SpendCaps, SpendLedger } from '../../ports/spend.js';
import type { RecordEvent, Stage } from '../../engine/journal/runEvents.js';
import type { RunOptions } from '../../engine/runOptions.js';
import { type Redactor, createRedactor } from '../../redaction/redactor.js';
import type { World } from '../world.js';
import { ModelError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import { isHandoff } from '../../models/handoff/handoffModel.js';
import type { KeySalt } from '../../models/wrappers/replyKey.js';
import type { StageWatch } from './stageWatch.js';
import type { UserStore } from '../../storage/state/store.js';
import { shownModel } from '../../wording/programs/shownModel.js';

export type RoleModels = Readonly<Record<ModelRole, LanguageModel>>;

interface RunParts {
  readonly world: World;
  readonly replies: ReplyStore;
  readonly ledger: SpendLedger;
  readonly redactor: Redactor;
  /** What the optimizer edits: of the secrets that it was shown it gets back those that stand in there. */
  readonly documents: readonly string[];
  readonly runId: string;
  readonly options: RunOptions;
  /** What the person stated that models cost. */
  readonly prices: PriceOverrides;
  /** The most calls, where nobody knows what they cost. */
  readonly callCap?: number | undefined;
  /** How long the run was at work before it was resumed. */
  readonly workedMs?: number | undefined;
  readonly record: RecordEvent;
  /** Listens whether anybody answers, where there are stages. */
  readonly watch?: StageWatch | undefined;
  /** The rate limiters of the servers, where other models of the run use them as well. */
  readonly limiters?: RateLimiters | undefined;
  /** Those whose server has just answered a question that costs nothing. */
  readonly ready?: ReadonlySet<LanguageModel> | undefined;
  /** For whom replies are stored and used; for everybody where it is left out. */
  readonly storedFor?: string | undefined;
  /** The run that alone takes what somebody answers by hand for it; others ask them anew. */
  readonly answeredFor?: string | undefined;
  /** Where the calls of stages are gathered; each is made by itself without it. */
  readonly batches?: RunBatches | undefined;
  /** What the calls are made for, where that is not the stage that the run is in. */
  readonly of?: { readonly stage: Stage; readonly step: number } | undefined;
}

/** One for each server. */
export type RateLimiters = Map<string, RateLimiter>;

/** The chosen models with redaction, cache, retry, rate, budget and journal around each, for one run. */
export function runModels(bare: RoleModels, parts: RunParts): RoleModels {
  const { limiters = new Map(), of } = parts;
  const { clock } = parts.world;
  const record: RecordEvent =
    of === undefined ? parts.record : (event) => parts.record(event.kind === 'call' ? { ...event, of } : event);
  const { minutes } = parts.options.caps;
  const limit =
    minutes === undefined ? undefined : { minutes, endsAt: clock.now() + minutes * 60_000 - (parts.workedMs ?? 0) };
  const compose = (model: LanguageModel): LanguageModel => {
    const price = findPrice(model.identity, parts.prices);
    const salt = saltOf(model, parts);
    const runner = parts.world.attempts ?? inThisProcess;
    const waited = withTimeouts(withRunner(model, { runner, runId: parts.runId, salt }), parts.options.timeouts);
    const bounded = limit === undefined ? waited : withTimeCap(waited, clock, limit);
    const shared = {
      redactor: parts.redactor,
      documents: parts.documents,
      limiter: limiterFor(limiters, bare, { ...parts, model }),
      budget: { ledger: parts.ledger, runId: parts.runId, caps: heldBy(parts), price },
      salt,
    };
    const note = (call: CallEntry): void => noteCall(record, call, price);
    const composed = composeModel(bounded, {
      ...shared,
      replies: parts.replies,
      batches: parts.batches?.over(model),
      retry: { clock, random: Math.random },
      journal: { clock, record: (call) => [parts.watch?.note(call), note(call)] },
    });
    const counted = countingCached(composed, record);
    const askAgain = composeModel(bounded, {
      ...shared,
      replies: noReplies,
      retry: { clock, random: Math.random, attempts: triesWhenInDoubt },
      journal: { clock, record: note },
    });
    return parts.watch?.over(counted, model, (request, signal) => askAgain.complete(request, signal)) ?? counted;
  };
  return { target: compose(bare.target), optimizer: compose(bare.optimizer), judge: compose(bare.judge) };
}

/** Whoever answers by hand may have answered badly, or a run that was given up: nobody is spared the question for that. */
function saltOf({ identity }: LanguageModel, { storedFor, answeredFor }: RunParts): KeySalt | undefined {
  const whose = storedFor ?? (isHandoff(identity) ? answeredFor : undefined);
  return whose === undefined ? undefined : { storedFor: whose };
}

/** For a question whose answer is of no interest. */
const noReplies: ReplyStore = { get: () => Promise.resolve(undefined), put: () => Promise.resolve() };

/** Of a question that a server answered before: other calls have failed for a minute by then. */
const triesWhenInDoubt = 3;

/** How the models are named wherever a result is shown; the simulated one says so. */
export function modelNames({ target, optimizer, judge }: RoleModels): Proposal['models'] {
  return {
    target: nameOf(target),
    optimizer: nameOf(optimizer),
    judge: nameOf(judge),
    simulated: target.identity.simulated || optimizer.identity.simulated,
  };
}

/** One model by name, with what is asked of it beyond the usual. */
export function nameOf({ identity }: LanguageModel): string {
  if (identity.simulated) return `${identity.model} (simulated)`;
  if (identity.model === identity.provider) return identity.provider;
  return `${identity.provider}/${identity.model}${identity.options === undefined ? '' : `?${identity.options}`}`;
}

/** The same as people read it. */
export function shownName(model: LanguageModel): string {
  return shownModel(nameOf(model));
}

/** Whether it is the name of the model that is built in: that of every other begins with who provides it. */
export function namesSimulated(name: string): boolean {
  return /^simulated-\d[^/]* \(simulated\)$/.test(name);
}

/** Open from the beginning where every model behind it is known to be there for us, and as wide as each of them bears. */
function limiterFor(
  limiters: RateLimiters,
  bare: RoleModels,
  { model, world, options, ready }: RunParts & { readonly model: LanguageModel },
): RateLimiter {
  const key = serverKey(model);
  const behind = Object.values(bare).filter((each) => serverKey(each) === key);
  const isOpen = behind.every((each) => ready?.has(each) === true);
  const bears = Math.min(...behind.map(({ atOnce = Infinity }) => atOnce));
  const concurrency = Math.min(options.concurrency, bears);
  const places = world.servers?.get(key) ?? new ServerPlaces(bears);
  world.servers?.set(key, places);
  const { served, isElsewhere } = model;
  const isOwn = served !== undefined && isElsewhere !== true; // each worker asks a server of its own
  const ownServer = isOwn ? async (signal: AbortSignal) => (await served(signal))?.atOnce : undefined;
  const asked = { clock: world.clock, concurrency, isOpen, places, ownServer, isElsewhere };
  const known = limiters.get(key) ?? createRateLimiter(asked);
  limiters.set(key, known);
  return known;
}

/**
 * A server of a person's own is one, by whichever name its models are chosen: they share its queue and its width. What
 * workers ask by the same name is another one, or the same from other machines.
 */
function serverKey({ identity, served, isElsewhere }: LanguageModel): string {
  const server = served === undefined ? `${identity.provider} ${identity.endpoint}` : serverAddress(identity.endpoint);
  return isElsewhere === true ? `${server} elsewhere` : server;
}

/** What holds a run, with the most calls where nobody knows what they cost. */
export function heldBy({
  world,
  options,
  callCap = Infinity,
}: Pick<RunParts, 'world' | 'options' | 'callCap'>): SpendCaps {
  const { calls, tokens, usd } = options.caps;
  const { day, month } = world.caps();
  const mostCalls = Math.min(calls ?? Infinity, callCap);
  return { run: { calls: mostCalls === Infinity ? undefined : mostCalls, tokens, usd }, day, month };
}

/** What a call came to, for the journal, at the price that it was made at. */
export function noteCall(record: RecordEvent, call: CallEntry, price: Price | undefined): void {
  const { role, ms, outcome, worker } = call;
  const shared = { kind: 'call', role, ms, cached: false, ...(worker === undefined ? {} : { worker }) } as const;
  if (outcome.kind === 'answered') return record({ ...shared, ...booked(outcome.usage, price), error: undefined });
  // The time was up, or nobody has answered yet: no call was made.
  if (outcome.error === 'cap' || outcome.error === 'waiting') return;
  const error = outcome.error === 'unknown' ? 'unavailable' : outcome.error;
  // Nothing left this machine: no call was made either, and that nobody was there is told.
  const calls = outcome.usage === undefined ? { calls: 0 } : {};
  const why = outcome.why === undefined ? {} : { why: outcome.why };
  record({ ...shared, ...booked(outcome.usage, price), ...calls, error, ...why });
}

/** As the ledger has it. What used nothing costs nothing, also where nobody knows the price. */
function booked(
  usage: ModelUsage | undefined,
  price: Price | undefined,
): { readonly tokens: number; readonly usd: number | undefined; readonly exact: boolean } {
  const tokens = usage === undefined ? 0 : usage.inputTokens + usage.outputTokens;
  if (usage === undefined || tokens === 0) return { tokens: 0, usd: 0, exact: usage?.exact ?? true };
  return { tokens, usd: moneyFor(usage, price), exact: usage.exact };
}

/** Stored replies never reach the journal around the adapter; they are counted here, as free. */
function countingCached(model: LanguageModel, record: RecordEvent): LanguageModel {
  return {
    identity: model.identity,
    async complete(request, signal) {
      const reply = await model.complete(request, signal);
      if (reply.cached) {
        record({
          kind: 'call',
          role: request.role,
          tokens: 0,
          usd: 0,
          exact: true,
          ms: 0,
          cached: true,
          error: undefined,
        });
      }
      return reply;
    },
  };
}

/**
 * Starts no call once the run's minutes are used up. A call that is under way is paid for and may end, but for a program
 * that may ask and ask: it is told how long it has. A stored reply takes no time and is not asked for here.
 */
function withTimeCap(
  model: LanguageModel,
  clock: Clock,
  { minutes, endsAt }: { readonly minutes: number; readonly endsAt: number },
): LanguageModel {
  const inTime =
    (ask: LanguageModel['complete']): LanguageModel['complete'] =>
    async (request, signal) => {
      const restMs = endsAt - clock.now();
      if (restMs > 0) return ask({ ...request, restMs }, signal);
      throw new ModelError('cap', `The run has used the ${minutes} minutes that it is capped at.`, {
        cure: 'Raise caps.minutes.',
      });
    };
  return {
    identity: model.identity,
    takesMore: model.takesMore,
    complete: inTime((request, signal) => model.complete(request, signal)),
    once: model.once === undefined ? undefined : inTime(model.once),
  };
}

/** Says with each call how long the person waits for the role that it is made in; as usual where they do not say. */
function withTimeouts(model: LanguageModel, timeouts: RunOptions['timeouts']): LanguageModel {
  const waiting =
    (ask: LanguageModel['complete']): LanguageModel['complete'] =>
    (request, signal) => {
      const seconds = timeouts[request.role];
      return ask(seconds === undefined ? request : { ...request, timeoutMs: seconds * 1000 }, signal);
    };
  return {
    identity: model.identity,
    takesMore: model.takesMore,
    complete: waiting((request, signal) => model.complete(request, signal)),
    once: model.once === undefined ? undefined : waiting(model.once),
  };
}

/** The redactor of this user: the same placeholders in every run and process, and the keys in use taken out by value. */
export async function redactorFor(world: Pick<World, 'secrets'>, store: Pick<UserStore, 'key'>): Promise<Redactor> {
  return createRedactor({ key: store.key.mac('redaction'), known: (await world.secrets?.()) ?? [] });
}
