import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { ModelError } from '../../errors.js';
import type { Reservation, Spend, SpendClaim, SpendLedger } from '../../ports/spend.js';
import { unlessMissing } from '../files/fileErrors.js';
import { makeFolderInside } from '../files/insideFolder.js';
import { SpendClock, type SpendTime } from './spendClock.js';
import { SpendFile } from './spendFile.js';
import type { ReserveLine } from './spendLine.js';
import { lessened, type PassedCap, sumOf } from './spendTotals.js';
import type { UserStore } from '../state/store.js';
import { usdFigure } from '../../usdFigure.js';

/** A ledger that must be closed. */
export interface OpenLedger extends SpendLedger {
  close(): Promise<void>;
}

/** The ledger of this user: one file a month in user state, shared by every window and process. */
export function openLedger(store: UserStore): OpenLedger {
  return new FileLedger(store);
}

const nothingSpent: Spend = { calls: 0, tokens: 0, usd: undefined, exact: true };

class FileLedger implements OpenLedger {
  readonly #store: UserStore;
  readonly #files = new Map<string, Promise<SpendFile>>();
  /** Months that are over and had no file: none will be made for them any more. */
  readonly #absent = new Set<string>();
  readonly #token = randomBytes(6).toString('hex');
  #opened: Promise<SpendClock> | undefined;
  #count = 0;

  constructor(store: UserStore) {
    this.#store = store;
  }

  async reserve(claim: SpendClaim, signal: AbortSignal): Promise<Reservation> {
    signal.throwIfAborted();
    const clock = await this.#clock();
    const time = clock.time();
    const { day, month, monthBefore } = calendar(time);
    const file = await this.#file(month);
    // A run that began last month has one cap, not two.
    const earlier = await this.#inMonth(monthBefore, claim.runId);
    const id = `${this.#token}-${(this.#count += 1)}`;
    const line = { ...reserveLine(id, day, claim, earlier), at: time.now, ...time.stamp };
    const passed = await file.append(line);
    clock.note(line);
    if (passed !== undefined) throw capError(passed, claim, time);
    return this.reopen(`${month}/${id}`);
  }

  reopen(ticket: string): Reservation {
    const [month = '', id = ''] = ticket.split('/');
    const file = (): Promise<SpendFile> => this.#file(month);
    return {
      ticket,
      settle: async ({ tokens, usd, exact }) => {
        const at = (await this.#clock()).time().now;
        const money = usd === undefined ? {} : { usd };
        await (await file()).append({ kind: 'settle', id, tokens, exact, at, ...money });
      },
      release: async () => {
        const at = (await this.#clock()).time().now;
        await (await file()).append({ kind: 'release', id, at });
      },
    };
  }

  /** Of this month and the one before: no run lasts longer. */
  async spentInRun(runId: string): Promise<Spend> {
    const { month, monthBefore } = await this.#calendar();
    const now = (await this.#totals(month)).spent({ run: runId });
    const earlier = await this.#inMonth(monthBefore, runId);
    return earlier.calls === 0 ? now : sumOf(earlier, now);
  }

  async spentToday(): Promise<Spend> {
    const { day, month } = await this.#calendar();
    return (await this.#exists(month)) ? (await this.#totals(month)).spent({ day }) : nothingSpent;
  }

  async spentThisMonth(): Promise<Spend> {
    const { month } = await this.#calendar();
    return (await this.#exists(month)) ? (await this.#totals(month)).spent('month') : nothingSpent;
  }

  async close(): Promise<void> {
    for (const file of this.#files.values()) await (await file).close();
    this.#files.clear();
  }

  async #calendar(): Promise<ReturnType<typeof calendar>> {
    return calendar((await this.#clock()).time());
  }

  #clock(): Promise<SpendClock> {
    this.#opened ??= SpendClock.open(this.#store.clock, path.join(this.#store.folder, 'spend'));
    return this.#opened;
  }

  async #totals(month: string) {
    return (await this.#file(month)).totals();
  }

  async #inMonth(month: string, runId: string): Promise<Spend> {
    if (this.#absent.has(month)) return nothingSpent;
    if (await this.#exists(month)) return (await this.#totals(month)).spent({ run: runId });
    this.#absent.add(month);
    return nothingSpent;
  }

  /** Asking what was spent makes no file. */
  async #exists(month: string): Promise<boolean> {
    return this.#files.has(month) || (await unlessMissing(stat(this.#path(month)))) !== undefined;
  }

  #file(month: string): Promise<SpendFile> {
    const known = this.#files.get(month);
    if (known !== undefined) return known;
    const opening = this.#open(month);
    this.#files.set(month, opening);
    opening.catch(() => this.#files.delete(month));
    return opening;
  }

  async #open(month: string): Promise<SpendFile> {
    await makeFolderInside(this.#store.folder, path.dirname(this.#path(month)));
    return SpendFile.open(this.#path(month));
  }

  #path(month: string): string {
    return path.join(this.#store.folder, 'spend', `${month}.jsonl`);
  }
}

function reserveLine(id: string, day: string, claim: SpendClaim, earlier: Spend): ReserveLine {
  const { runId: run, role, model, worst, caps } = claim;
  return {
    kind: 'reserve',
    id,
    run,
    day,
    role,
    model,
    tokens: worst.tokens,
    usd: worst.usd,
    caps: { ...caps, run: lessened(caps.run, earlier) },
  };
}

/** The error of a cap, with its name and the way to raise it. */
export function capError(
  { period, unit, limit }: PassedCap,
  claim: SpendClaim,
  { moved }: Pick<SpendTime, 'moved'> = { moved: false },
): ModelError {
  const amount = unit === 'usd' ? `${usdFigure(limit)} USD` : `${limit.toLocaleString('en')} ${unit}`;
  const of = period === 'run' ? 'this run' : `this ${period}`;
  const what = whatPasses({ amount, of, unit }, claim);
  if (moved && period !== 'run') {
    const why = 'The clock of this machine was moved, and is believed once it has gone right for six hours.';
    return new ModelError('cap', `${what}. ${why}`, { cure: 'Raise the cap in the settings, or wait.' });
  }
  const isOfAnswers = ['tokens', 'usd'].includes(unit);
  if (isOfAnswers && claim.untold === true) return untoldError(what, claim);
  const cure =
    isOfAnswers && period === 'run'
      ? 'Raise the cap, or lower what an answer (answers.target) or the attempt of an agent (agent.maxTokens) may take.'
      : 'Raise the cap in the settings, or wait until it starts anew.';
  return new ModelError('cap', `${what}.`, { cure });
}

/** A program that knows no limit: what is set aside for one call is as much as its models ever answer. */
function untoldError(what: string, { worst }: SpendClaim): ModelError {
  const why =
    'It cannot be told how long an answer may be, so the longest answer of any model is set aside for each call.';
  const cure = `Raise the cap so that ${worst.tokens.toLocaleString('en')} tokens are left of it, or cap calls or minutes instead.`;
  return new ModelError('cap', `${what}. ${why}`, { cure });
}

function whatPasses(
  { amount, of, unit }: { readonly amount: string; readonly of: string; readonly unit: PassedCap['unit'] },
  { model, name = model, worst }: SpendClaim,
): string {
  if (unit === 'minutes') return `The ${amount} that ${of} is capped at are used up`;
  const most =
    unit === 'usd' && worst.usd !== undefined
      ? `${usdFigure(worst.usd)} USD`
      : `${worst.tokens.toLocaleString('en')} tokens`;
  return unit === 'calls'
    ? `The next call to ${name} could pass the cap of ${amount} for ${of}`
    : `The next call to ${name} may take up to ${most} and pass the cap of ${amount} for ${of}`;
}

/** Day and month in local time, as the person's calendar has them. */
export function calendar(time: Pick<SpendTime, 'now'>): {
  readonly day: string;
  readonly month: string;
  readonly monthBefore: string;
} {
  const now = new Date(time.now);
  const month = monthOf(now);
  const before = new Date(now.getFullYear(), now.getMonth() - 1, 1);
  return { day: `${month}-${twoDigits(now.getDate())}`, month, monthBefore: monthOf(before) };
}

function monthOf(date: Date): string {
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
