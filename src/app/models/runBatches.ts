import { UserError } from '../../errors.js';
import type { RunContext } from '../../engine/runContext.js';
import { GatheredCalls, leastCalls, Stillness, type RunBatches } from '../../models/batch/gatheredCalls.js';
import type { BatchParts } from '../../models/batch/batchLife.js';
import { sendBatch } from '../../models/batch/sendBatch.js';
import { takeUpBatch } from '../../models/batch/takeUpBatch.js';
import { batchPrice, findPrice, type PriceOverrides } from '../../models/prices.js';
import type { PatientLedger } from '../../models/wrappers/patientLedger.js';
import type { CallEntry } from '../../models/wrappers/withJournal.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { SpendCaps, SpendLedger } from '../../ports/spend.js';
import type { ReplyStore } from '../../ports/stores.js';
import { keptBatches } from '../../storage/runs/keptBatches.js';
import type { Task } from '../../tasks/task.js';
import { batchRuns, batchSentence, takesNoBatches } from '../../wording/nights/batchLines.js';
import type { RunJournal } from '../runs/runJournal.js';
import type { RunStart } from '../runs/runStart.js';
import { noteCall, shownName, type RoleModels } from './runModels.js';

/** Whether the stages of a run are sent as batches: at night, where the person wants it. */
export function isBatched({ purpose, options }: Pick<RunStart, 'purpose' | 'options'>): boolean {
  return purpose === 'night' && options.nightly.batch;
}

interface GivenBatches {
  readonly bare: RoleModels;
  readonly journal: Pick<RunJournal, 'runId' | 'record' | 'summary'>;
  /** As the cache of the run has it. */
  readonly replies: ReplyStore;
  readonly prices: PriceOverrides;
}

/** Gathers the calls of each model that can be asked so, and says which cannot. Undefined where no batch is wanted. */
export function runBatches(
  start: RunStart,
  given: GivenBatches & {
    readonly ledger: PatientLedger;
    readonly caps: SpendCaps;
    /** Told of every call. */
    readonly note: (call: CallEntry) => void;
  },
): RunBatches | undefined {
  if (!isBatched(start)) return undefined;
  const { ledger, caps, journal, note } = given;
  const endsAt = endOf(start, journal);
  const { nightly } = start.options;
  const stillness = new Stillness();
  const tell = telling(start, journal);
  for (const model of new Set(Object.values(given.bare)))
    if (model.batches === undefined) tell(takesNoBatches(shownName(model)));
  const gather = (model: LanguageModel): GatheredCalls | undefined => {
    const shared = partsFor(start, { ...given, endsAt }, model);
    if (shared === undefined) return undefined;
    const record = (call: CallEntry): void => {
      note(call);
      noteCall(journal.record, call, shared.price);
    };
    const sending = { runId: journal.runId, caps, waitMs: nightly.batchWait * 3_600_000, least: leastCalls };
    const parts = { ...shared, ...sending, ledger, record };
    return new GatheredCalls({
      stillness,
      least: leastCalls,
      send: (calls, signal) => sendBatch(parts, calls, signal),
      lengthOf: (request) => Buffer.byteLength(shared.server.line('', request)),
    });
  };
  const known = new Map<LanguageModel, GatheredCalls | undefined>();
  return {
    stillness,
    over: (bare) => {
      const gathered = known.has(bare) ? known.get(bare) : gather(bare);
      known.set(bare, gathered);
      return gathered === undefined ? undefined : { gathered, stillness };
    },
  };
}

/**
 * Goes on with batches that an earlier run of the skill was cut off from, before anything is asked: their replies are
 * stored then as if they had been asked for now, and their lines are settled. Throws where one still runs that this run
 * does not wait for: it would ask for the same once more, and both are paid.
 */
export async function takeUpBatches(
  start: RunStart,
  given: GivenBatches & { readonly ledger: SpendLedger },
  signal: AbortSignal,
): Promise<void> {
  const endsAt = endOf(start, given.journal);
  for (const kept of await keptBatches(start.skill.store).all()) {
    const of = Object.values(given.bare).find(
      ({ identity }) => identity.endpoint === kept.endpoint && identity.model === kept.model,
    );
    const parts = of && partsFor(start, { ...given, endsAt }, of);
    if (parts === undefined) continue; // other models are chosen today: it waits until they are chosen again
    const unseen = { ...parts, ledger: given.ledger, record: () => undefined };
    const isTaken = await takeUpBatch(unseen, kept, { waits: isBatched(start) }, signal);
    if (!isTaken)
      throw new UserError(
        'busy',
        batchRuns(kept.calls.length, kept.until),
        'Start the run again after that, or run a night with nightly.batch now: it waits for the batch and goes on from there.',
      );
  }
}

/** When the minutes of the run are used up. */
function endOf({ world, options }: RunStart, { summary }: GivenBatches['journal']): number | undefined {
  const { minutes } = options.caps;
  return minutes === undefined ? undefined : world.clock.now() + minutes * 60_000 - summary().workedMs;
}

/** Undefined where the server takes none. */
function partsFor(
  start: RunStart,
  { journal, replies, prices, endsAt }: GivenBatches & Pick<BatchParts, 'endsAt'>,
  { identity, batches: server }: LanguageModel,
): Omit<BatchParts, 'ledger' | 'record'> | undefined {
  if (server === undefined) return undefined;
  const tell = telling(start, journal);
  return {
    server,
    identity,
    kept: keptBatches(start.skill.store),
    replies,
    price: batchPrice(findPrice(identity, prices)),
    clock: start.world.clock,
    endsAt,
    tell: (news) => tell(batchSentence(news)),
  };
}

/** Whoever started the run is told, and whoever reads its report. */
function telling({ world, skill }: RunStart, { record }: GivenBatches['journal']): (text: string) => void {
  return (text) => {
    record({ kind: 'note', text });
    world.tell(`${skill.name}: ${text}`);
  };
}

/**
 * A context whose attempts are begun all at once, so that a stage becomes one batch. Those that start programs of their
 * own stay within the places of the run.
 */
export function inBatches(context: RunContext, { stillness }: RunBatches): RunContext {
  const places = new Places(context.options.concurrency);
  const placed = <T>(task: Task, work: () => Promise<T>): Promise<T> => {
    const counting = (): Promise<T> => stillness.working(work);
    return startsPrograms(task) ? places.run(counting) : counting();
  };
  const counted = <Parts extends Pick<RunContext, 'attempt' | 'judge'>>(parts: Parts): Parts => ({
    ...parts,
    attempt: (request, signal) => placed(request.task, () => parts.attempt(request, signal)),
    judge: (task, answered, sample, signal) => placed(task, () => parts.judge(task, answered, sample, signal)),
  });
  const { freshFor } = context;
  return {
    ...counted(context),
    options: { ...context.options, concurrency: allAtOnce },
    freshFor: freshFor && ((run) => counted(freshFor(run))),
  };
}

const allAtOnce = 10_000;

function startsPrograms({ environment, checks }: Task): boolean {
  return !['chat', 'tools'].includes(environment) || checks.some(({ check }) => check === 'command');
}

/** So many at a time, in the order in which they came. */
class Places {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
