import type { Clock } from '../../src/ports/clock.js';
import type { Reservation, Spend, SpendClaim, SpendLedger } from '../../src/ports/spend.js';
import { calendar, capError } from '../../src/storage/spend/spendLedger.js';
import { SpendTotals } from '../../src/storage/spend/spendTotals.js';

/** The ledger's own arithmetic without its files; one month only. */
export class MemoryLedger implements SpendLedger {
  readonly #clock: Clock;
  readonly #totals = new SpendTotals();
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async reserve(claim: SpendClaim, signal: AbortSignal): Promise<Reservation> {
    signal.throwIfAborted();
    const id = String((this.#count += 1));
    const { runId: run, role, model, worst, caps } = claim;
    const { day } = calendar({ now: this.#clock.now() });
    const passed = this.#totals.add({ kind: 'reserve', id, run, role, model, day, caps, ...worst });
    if (passed !== undefined) throw capError(passed, claim);
    return this.reopen(id);
  }

  reopen(ticket: string): Reservation {
    return {
      ticket,
      settle: async (actual) => {
        this.#totals.add({ kind: 'settle', id: ticket, ...actual });
      },
      release: async () => {
        this.#totals.add({ kind: 'release', id: ticket });
      },
    };
  }

  async spentInRun(runId: string): Promise<Spend> {
    return this.#totals.spent({ run: runId });
  }

  async spentToday(): Promise<Spend> {
    return this.#totals.spent({ day: calendar({ now: this.#clock.now() }).day });
  }

  async spentThisMonth(): Promise<Spend> {
    return this.#totals.spent('month');
  }
}
