import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../ports/clock.js';
import { unlessMissing } from '../files/fileErrors.js';
import { parseSpendLine, type ReserveLine, type Stamp } from './spendLine.js';

/** The time by which a ledger counts days, and whether the machine's clock says another. */
export interface SpendTime {
  readonly now: number;
  /** True where the clock was moved and is not believed yet. */
  readonly moved: boolean;
  /** What a line carries so that others can tell; empty where the machine does not say how long it runs. */
  readonly stamp: Stamp;
}

/** What the last lines tell about the machine's clock, in milliseconds. */
interface Witness {
  readonly boot: string;
  /** How long the machine had been running then. */
  readonly up: number;
  /** The time that was counted by. */
  readonly at: number;
  /** The time that the clock showed. */
  readonly clock: number;
  /** Since when, by how long the machine had been running, the clock went along with it. */
  readonly since: number;
}

/**
 * The time of a ledger. A clock that jumps must not open a new day's cap: how long the machine has been running tells
 * how much time has really passed since the last line, whoever wrote it. Where the clock says otherwise by more than it
 * drifts, the time goes on from that line; a clock that has gone along with the machine for hours is believed again, for
 * a machine that stood still (as guests do while their host sleeps) must find its way back.
 */
export class SpendClock {
  readonly #clock: Clock;
  #witness: Witness | undefined;

  private constructor(clock: Clock, witness: Witness | undefined) {
    this.#clock = clock;
    this.#witness = witness;
  }

  /** Learns from what the ledgers in this folder end with. */
  static async open(clock: Clock, folder: string): Promise<SpendClock> {
    const boot = clock.running?.().boot;
    if (boot === undefined) return new SpendClock(clock, undefined);
    const lines = (await lastLines(folder)).filter((line) => line.boot === boot);
    const inOrder = lines.toSorted((a, b) => (a.up ?? 0) - (b.up ?? 0));
    return new SpendClock(clock, inOrder.reduce<Witness | undefined>(witnessed, undefined));
  }

  time(): SpendTime {
    const clock = this.#clock.now();
    const running = this.#clock.running?.();
    if (running === undefined) return { now: clock, moved: false, stamp: {} };
    const now = timeBy(this.#witness, { ...running, clock });
    const moved = now !== clock;
    return { now, moved, stamp: { ...running, ...(moved ? { clock } : {}) } };
  }

  /** A line was written with this time. */
  note(line: ReserveLine): void {
    this.#witness = witnessed(this.#witness, line);
  }
}

type Reading = Pick<Witness, 'boot' | 'up' | 'clock'>;

function timeBy(witness: Witness | undefined, reading: Reading): number {
  if (witness === undefined || witness.boot !== reading.boot || reading.up < witness.up) return reading.clock;
  const expected = witness.at + (reading.up - witness.up);
  if (Math.abs(reading.clock - expected) <= drift) return reading.clock;
  return wentAlong(witness, reading) && reading.up - witness.since >= believedAfter ? reading.clock : expected;
}

function witnessed(before: Witness | undefined, { at, up, boot, clock = at }: ReserveLine): Witness | undefined {
  if (at === undefined || clock === undefined || up === undefined || boot === undefined) return before;
  const reading = { boot, up, clock };
  const isSame = before !== undefined && before.boot === boot && wentAlong(before, reading);
  return { ...reading, at, since: isSame ? before.since : up };
}

/** The clock moved as far as the machine ran. */
function wentAlong(witness: Witness, { up, clock }: Reading): boolean {
  return Math.abs(clock - witness.clock - (up - witness.up)) <= drift;
}

const drift = 10 * 60_000; // more than a time server mends in small steps
const believedAfter = 6 * 3_600_000;

/** The ends of the newest ledgers: a clock that jumped may have begun one of another month or year. */
async function lastLines(folder: string): Promise<readonly ReserveLine[]> {
  const names = (await unlessMissing(readdir(folder))) ?? [];
  const months = names.filter((name) => name.endsWith('.jsonl')).toSorted();
  const ends = await Promise.all(months.slice(-mostMonths).map((name) => endOf(path.join(folder, name))));
  return ends.flatMap((text) =>
    text.split('\n').flatMap((each) => {
      const line = parseSpendLine(each);
      return line?.kind === 'reserve' ? [line] : [];
    }),
  );
}

const mostMonths = 24;
const endBytes = 16 * 1024;

async function endOf(file: string): Promise<string> {
  const found = await unlessMissing(stat(file));
  if (found === undefined) return '';
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(file, { start: Math.max(0, found.size - endBytes) }))
    pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString('utf8');
}
