import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../../../src/ports/clock.js';
import { nodeClock } from '../../../../src/storage/files/nodeAdapters.js';
import { openLedger, type OpenLedger } from '../../../../src/storage/spend/spendLedger.js';
import { openUserStore } from '../../../../src/storage/state/store.js';
import { aMachine, neverAborted, scrapMachines } from '../../../builders/storage.js';
import { aClaim, caps } from '../contracts/spendLedgerContract.js';

const hour = 3_600_000;
const day = 24 * hour;

describe('a cap of a day on a machine whose clock is moved', () => {
  after(scrapMachines);

  const jumps: readonly [name: string, ...jumps: number[]][] = [
    ['a day ahead', day],
    ['a day back', -day],
    ['a day ahead and back', day, -day],
    ['a day back and ahead', -day, day],
    ['a month ahead', 31 * day],
    ['a year ahead', 365 * day],
    ['a year back', -365 * day],
    ['just past midnight', 12 * hour + 60_000],
    ['just before midnight, which then passes', 12 * hour - 60_000],
    ['a day ahead, again and again', day, day, day],
  ];
  for (const [name, ...moves] of jumps) {
    it(`is not opened by one that goes ${name}`, async () => {
      const { clock, ledger, again, close } = await aLedger();
      await spend(ledger);
      for (const move of moves) {
        clock.set(move);
        await refused(ledger);
        clock.pass(2 * 60_000);
        await refused(ledger);
        await refused(await again());
        assert.equal((await ledger.spentToday()).calls, 1);
        assert.equal((await (await again()).spentToday()).calls, 1, 'also for those who come later');
      }
      await close();
    });
  }

  it('says why, and what to do', async () => {
    const { clock, ledger, close } = await aLedger();
    await spend(ledger);
    clock.set(day);
    await assert.rejects(spend(ledger), {
      kind: 'cap',
      message:
        /cap of 1 calls for this day\. The clock of this machine was moved, and is believed once it has gone right/,
      cure: 'Raise the cap in the settings, or wait.',
    });
    await close();
  });

  it('is opened by midnight, by a night asleep, and by a start of the machine', async () => {
    for (const pass of ['pass', 'restart'] as const) {
      const { clock, ledger, again, close } = await aLedger();
      await spend(ledger);
      clock[pass](13 * hour);
      await spend(await again());
      if (pass === 'pass') await refused(ledger);
      clock.pass(day);
      await spend(ledger);
      await close();
    }
  });

  it('is not moved by what a time server mends', async () => {
    const { clock, ledger, close } = await aLedger();
    await spend(ledger);
    for (let turn = 0; turn < 12; turn += 1) {
      clock.set(turn % 2 === 0 ? 60_000 : -90_000);
      clock.pass(hour / 2);
      await refused(ledger);
    }
    clock.pass(13 * hour);
    await spend(ledger);
    await close();
  });

  it('follows the clock again once that has gone right for hours: a guest stands still while its host sleeps', async () => {
    const { clock, ledger, again, close } = await aLedger();
    await spend(ledger);
    clock.set(15 * hour);
    await refused(ledger);
    clock.pass(5 * hour);
    await refused(ledger);
    clock.pass(1.1 * hour);
    await spend(await again());
    await close();
  });

  it('counts in the ledger of the month in which the time really is', async () => {
    const { clock, ledger, home, close } = await aLedger();
    await spend(ledger);
    clock.set(365 * day);
    await refused(ledger);
    assert.deepEqual(await readdir(path.join(home, 'spend')), ['2026-01.jsonl']);
    const lines = (await readFile(path.join(home, 'spend', '2026-01.jsonl'), 'utf8')).trim().split('\n');
    assert.match(lines.at(-1) ?? '', /"day":"2026-01-15".*"clock":\d+/);
    await close();
  });

  it('asks the machine how long it has been running', () => {
    const [first, second] = [nodeClock.running?.(), nodeClock.running?.()];
    assert.ok(first !== undefined && second !== undefined && first.boot === second.boot && first.boot !== '');
    assert.ok(second.up >= first.up && first.up > 0);
  });
});

const claim = aClaim({ worst: { tokens: 1, usd: 0 }, caps: caps({ day: { calls: 1 } }) });

async function spend(ledger: OpenLedger): Promise<void> {
  const reservation = await ledger.reserve(claim, neverAborted);
  await reservation.settle({ tokens: 1, usd: 0, exact: true });
}

function refused(ledger: OpenLedger): Promise<void> {
  return assert.rejects(spend(ledger), { kind: 'cap', message: /for this day/ });
}

/** Noon, on a machine that has been running for a while. */
class MachineClock implements Clock {
  #now = new Date(2026, 0, 15, 12).getTime();
  #up = 50 * hour;
  #boot = 1;

  now(): number {
    return this.#now;
  }

  readonly running = (): { readonly boot: string; readonly up: number } => ({
    boot: `boot ${this.#boot}`,
    up: this.#up,
  });

  sleep(): Promise<void> {
    return Promise.resolve();
  }

  /** Somebody moves the clock. */
  set(by: number): void {
    this.#now += by;
  }

  /** Time passes. */
  pass(ms: number): void {
    this.#now += ms;
    this.#up += ms;
  }

  /** The machine was off, and runs again. */
  restart(ms: number): void {
    this.#now += ms;
    this.#up = 60_000;
    this.#boot += 1;
  }
}

async function aLedger(): Promise<{
  readonly clock: MachineClock;
  readonly home: string;
  readonly ledger: OpenLedger;
  readonly again: () => Promise<OpenLedger>;
  readonly close: () => Promise<void>;
}> {
  const { home } = await aMachine();
  const clock = new MachineClock();
  const opened: OpenLedger[] = [];
  const again = async (): Promise<OpenLedger> => {
    const ledger = openLedger(await openUserStore(home, clock));
    opened.push(ledger);
    return ledger;
  };
  const close = async (): Promise<void> => void (await Promise.all(opened.map((ledger) => ledger.close())));
  return { clock, home, ledger: await again(), again, close };
}
