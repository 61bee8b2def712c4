import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ModelError } from '../../../../src/errors.js';
import type { SpendCap, SpendCaps, SpendClaim, SpendLedger } from '../../../../src/ports/spend.js';
import { ManualClock } from '../../../fakes/ManualClock.js';

const neverAborted = new AbortController().signal;

/** What every ledger keeps to. */
export function spendLedgerContract(
  name: string,
  make: (clock: ManualClock) => Promise<{ readonly ledger: SpendLedger; readonly close: () => Promise<void> }>,
): void {
  const withLedger = async (work: (ledger: SpendLedger, clock: ManualClock) => Promise<void>): Promise<void> => {
    const clock = new ManualClock(new Date(2026, 0, 15, 12).getTime());
    const { ledger, close } = await make(clock);
    try {
      await work(ledger, clock);
    } finally {
      await close();
    }
  };

  describe(`${name}, as a ledger`, () => {
    it('has spent nothing at first', () =>
      withLedger(async (ledger) => {
        const nothing = { calls: 0, tokens: 0, usd: 0, exact: true };
        assert.deepEqual(await ledger.spentInRun('r'), nothing);
        assert.deepEqual(await ledger.spentToday(), nothing);
        assert.deepEqual(await ledger.spentThisMonth(), nothing);
      }));

    it('counts the worst case until a call is settled, then what it really used', () =>
      withLedger(async (ledger) => {
        const reservation = await ledger.reserve(aClaim({ worst: { tokens: 100, usd: 0.5 } }), neverAborted);
        assert.deepEqual(await ledger.spentInRun('r'), { calls: 1, tokens: 100, usd: 0.5, exact: false });
        await reservation.settle({ tokens: 30, usd: 0.1, exact: true });
        assert.deepEqual(await ledger.spentInRun('r'), { calls: 1, tokens: 30, usd: 0.1, exact: true });
      }));

    it('counts more than the worst case where a call used more', () =>
      withLedger(async (ledger) => {
        const reservation = await ledger.reserve(aClaim({ worst: { tokens: 10, usd: 0.1 } }), neverAborted);
        await reservation.settle({ tokens: 50, usd: 0.4, exact: true });
        assert.equal((await ledger.spentThisMonth()).tokens, 50);
      }));

    it('counts nothing for a call that never reached the server', () =>
      withLedger(async (ledger) => {
        await (await ledger.reserve(aClaim(), neverAborted)).release();
        assert.deepEqual(await ledger.spentInRun('r'), { calls: 0, tokens: 0, usd: 0, exact: true });
      }));

    it('settles a call once, whatever is said about it later', () =>
      withLedger(async (ledger) => {
        const reservation = await ledger.reserve(aClaim(), neverAborted);
        await reservation.settle({ tokens: 5, usd: 0.01, exact: true });
        await reservation.settle({ tokens: 500, usd: 9, exact: true });
        await reservation.release();
        assert.equal((await ledger.spentInRun('r')).tokens, 5);
      }));

    it('finds a reservation again by its ticket, and settles it once', () =>
      withLedger(async (ledger) => {
        const { ticket } = await ledger.reserve(aClaim({ worst: { tokens: 100, usd: 0.5 } }), neverAborted);
        await ledger.reopen(ticket).settle({ tokens: 30, usd: 0.1, exact: true });
        await ledger.reopen(ticket).settle({ tokens: 90, usd: 0.4, exact: true });
        await ledger.reopen(ticket).release();
        assert.deepEqual(await ledger.spentInRun('r'), { calls: 1, tokens: 30, usd: 0.1, exact: true });
      }));

    it('says that a sum is not exact while a part of it is an estimate', () =>
      withLedger(async (ledger) => {
        await (await ledger.reserve(aClaim(), neverAborted)).settle({ tokens: 5, usd: 0.1, exact: true });
        await (await ledger.reserve(aClaim(), neverAborted)).settle({ tokens: 5, usd: 0.1, exact: false });
        assert.equal((await ledger.spentToday()).exact, false);
      }));

    it('knows no money for a model without a price', () =>
      withLedger(async (ledger) => {
        const claim = aClaim({ worst: { tokens: 10, usd: undefined }, caps: caps({ run: { usd: 0 } }) });
        await (await ledger.reserve(claim, neverAborted)).settle({ tokens: 5, usd: undefined, exact: true });
        assert.deepEqual(await ledger.spentInRun('r'), { calls: 1, tokens: 5, usd: undefined, exact: true });
      }));

    it('keeps runs apart and adds them up by day and month', () =>
      withLedger(async (ledger) => {
        await ledger.reserve(aClaim({ runId: 'a', worst: { tokens: 1, usd: 0 } }), neverAborted);
        await ledger.reserve(aClaim({ runId: 'b', worst: { tokens: 2, usd: 0 } }), neverAborted);
        assert.equal((await ledger.spentInRun('a')).tokens, 1);
        assert.equal((await ledger.spentToday()).tokens, 3);
        assert.equal((await ledger.spentThisMonth()).tokens, 3);
      }));

    it('starts a new day at local midnight and keeps the month', () =>
      withLedger(async (ledger, clock) => {
        clock.set(new Date(2026, 0, 15, 23, 59).getTime());
        await ledger.reserve(aClaim({ worst: { tokens: 7, usd: 0 } }), neverAborted);
        clock.set(new Date(2026, 0, 16, 0, 1).getTime());
        assert.equal((await ledger.spentToday()).tokens, 0);
        assert.equal((await ledger.spentThisMonth()).tokens, 7);
      }));

    const limits: readonly { name: string; cap: SpendCap; granted: number }[] = [
      { name: 'calls', cap: { calls: 3 }, granted: 3 },
      { name: 'tokens', cap: { tokens: 35 }, granted: 3 },
      { name: 'tokens, to the last one', cap: { tokens: 30 }, granted: 3 },
      { name: 'dollars', cap: { usd: 0.35 }, granted: 3 },
      { name: 'dollars, to the last cent of a sum that floating point does not hit', cap: { usd: 0.3 }, granted: 3 },
      { name: 'nothing at all', cap: { calls: 0 }, granted: 0 },
      { name: 'the tightest of several', cap: { calls: 9, tokens: 99, usd: 0.15 }, granted: 1 },
    ];
    for (const period of ['run', 'day', 'month'] as const) {
      for (const { name: limit, cap, granted } of limits) {
        it(`holds the cap of a ${period} on ${limit}`, () =>
          withLedger(async (ledger) => {
            const claim = aClaim({ worst: { tokens: 10, usd: 0.1 }, caps: caps({ [period]: cap }) });
            assert.equal(await grantedOf(ledger, claim, 6), granted);
            assert.equal((await ledger.spentInRun('r')).calls, granted);
          }));
      }
    }

    it('names the cap that was reached and what to do', () =>
      withLedger(async (ledger) => {
        const claim = aClaim({ caps: caps({ day: { tokens: 5 } }) });
        await assert.rejects(
          ledger.reserve(claim, neverAborted),
          (error) =>
            error instanceof ModelError &&
            error.kind === 'cap' &&
            /5 tokens for this day/.test(error.message) &&
            error.cure !== '',
        );
      }));

    it('grants again what was released or turned out cheaper', () =>
      withLedger(async (ledger) => {
        const claim = aClaim({ worst: { tokens: 10, usd: 0 }, caps: caps({ run: { tokens: 10 } }) });
        const first = await ledger.reserve(claim, neverAborted);
        assert.equal(await grantedOf(ledger, claim, 1), 0);
        await first.release();
        const second = await ledger.reserve(claim, neverAborted);
        await second.settle({ tokens: 0, usd: 0, exact: true });
        assert.equal(await grantedOf(ledger, claim, 2), 1);
      }));

    it('reserves nothing once it is asked to stop', () =>
      withLedger(async (ledger) => {
        const reason = new Error('enough');
        await assert.rejects(ledger.reserve(aClaim(), AbortSignal.abort(reason)), reason);
        assert.equal((await ledger.spentToday()).calls, 0);
      }));

    it('never lets the sum of worst cases pass a cap, whatever is asked for at once', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 20 }),
          fc.integer({ min: 0, max: 100 }),
          (sizes, tokens) =>
            withLedger(async (ledger) => {
              const claims = sizes.map((size) =>
                aClaim({ worst: { tokens: size, usd: 0 }, caps: caps({ month: { tokens } }) }),
              );
              const answers = await Promise.all(claims.map((claim) => granted1(ledger, claim)));
              const sum = sizes.filter((_, index) => answers[index] === 1).reduce((total, size) => total + size, 0);
              assert.ok(sum <= tokens);
              assert.equal((await ledger.spentThisMonth()).tokens, sum);
            }),
        ),
        { numRuns: 20 },
      ));
  });
}

export function aClaim(more: Partial<SpendClaim> = {}): SpendClaim {
  return { runId: 'r', role: 'target', model: 'm', worst: { tokens: 10, usd: 0.1 }, caps: caps({}), ...more };
}

export function caps(some: Partial<SpendCaps>): SpendCaps {
  return { run: {}, day: {}, month: {}, ...some };
}

/** How many of so many reservations, one after the other, were granted. */
export async function grantedOf(ledger: SpendLedger, claim: SpendClaim, tries: number): Promise<number> {
  let granted = 0;
  for (let round = 0; round < tries; round += 1) granted += await granted1(ledger, claim);
  return granted;
}

async function granted1(ledger: SpendLedger, claim: SpendClaim): Promise<number> {
  try {
    await ledger.reserve(claim, neverAborted);
    return 1;
  } catch (error) {
    if (error instanceof ModelError && error.kind === 'cap') return 0;
    throw error;
  }
}
