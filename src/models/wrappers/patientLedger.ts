import { ModelError } from '../../errors.js';
import type { Reservation, SpendLedger } from '../../ports/spend.js';

/** A ledger whose reservations may have to wait. */
export interface PatientLedger extends SpendLedger {
  /** Reserves or refuses at once, whatever is under way. */
  readonly reserveNow: SpendLedger['reserve'];
  /** Calls that find no room beside what was reserved so wait until the work is over. */
  readonly holding: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * A ledger that refuses a call only by what was spent. Calls that are under way hold their worst case: one that has no
 * room beside them waits until some of them have settled on what they used, and is refused where it has none alone.
 */
export function patientLedger(ledger: SpendLedger): PatientLedger {
  let underWay = 0;
  let line: Promise<unknown> = Promise.resolve();
  const waiting = new Set<() => void>();
  const over = (): void => {
    underWay -= 1;
    for (const wake of waiting) wake();
    waiting.clear();
  };
  const take: SpendLedger['reserve'] = async (claim, signal) => {
    const reservation = await ledger.reserve(claim, signal);
    underWay += 1;
    return counted(reservation, over);
  };
  const takeLater: SpendLedger['reserve'] = async (claim, signal) => {
    if (underWay > 0) await nextSettled(waiting, signal);
    const isLast = underWay === 0;
    try {
      return await take(claim, signal);
    } catch (error) {
      if (isLast || !isCap(error)) throw error;
      return takeLater(claim, signal);
    }
  };
  return {
    async reserve(claim, signal) {
      try {
        return await take(claim, signal);
      } catch (error) {
        if (!isCap(error)) throw error;
        // One after the other: every refusal is a line in the ledger.
        const later = line.then(() => takeLater(claim, signal));
        line = later.catch(() => undefined);
        return later;
      }
    },
    reserveNow: (claim, signal) => ledger.reserve(claim, signal),
    async holding(work) {
      underWay += 1;
      try {
        return await work();
      } finally {
        over();
      }
    },
    reopen: (ticket) => ledger.reopen(ticket),
    spentInRun: (runId) => ledger.spentInRun(runId),
    spentToday: () => ledger.spentToday(),
    spentThisMonth: () => ledger.spentThisMonth(),
  };
}

function isCap(error: unknown): boolean {
  return error instanceof ModelError && error.kind === 'cap';
}

function counted(reservation: Reservation, over: () => void): Reservation {
  const once =
    <Given extends readonly unknown[]>(end: (...given: Given) => Promise<void>) =>
    async (...given: Given): Promise<void> => {
      try {
        await end(...given);
      } finally {
        over();
      }
    };
  return {
    ticket: reservation.ticket,
    settle: once((actual: Parameters<Reservation['settle']>[0]) => reservation.settle(actual)),
    release: once(() => reservation.release()),
  };
}

/** Lets go of the call's signal again: a call may have to wait many times. */
async function nextSettled(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const wake = (): void => {
      waiting.delete(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    waiting.add(wake);
    signal.addEventListener('abort', wake);
  });
  signal.throwIfAborted();
}
