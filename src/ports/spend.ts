import type { ModelRole } from './languageModel.js';

/** An upper limit; a field that is undefined limits nothing. */
export interface SpendCap {
  readonly calls?: number | undefined;
  readonly tokens?: number | undefined;
  readonly usd?: number | undefined;
  /** Of runs at work; two side by side count twice. A call under way may end. */
  readonly minutes?: number | undefined;
}

export interface SpendCaps {
  readonly run: SpendCap;
  readonly day: SpendCap;
  readonly month: SpendCap;
}

/** What was or may be spent. `usd` is undefined where the model has no known price. */
export interface Spend {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number | undefined;
  /** False where any part of it is our estimate. */
  readonly exact: boolean;
}

export interface SpendClaim {
  readonly runId: string;
  readonly role: ModelRole;
  readonly model: string;
  /** As a person names it, where that is not `model`. */
  readonly name?: string | undefined;
  /** True where the model cannot be told how long an answer may be: the worst case is the longest that there is. */
  readonly untold?: boolean | undefined;
  /** The worst case of one physical attempt. */
  readonly worst: { readonly tokens: number; readonly usd: number | undefined };
  readonly caps: SpendCaps;
}

export interface Reservation {
  /** By which {@link SpendLedger.reopen} finds it again, in whichever process. */
  readonly ticket: string;
  /** Replaces the worst case by what the call really used. */
  settle(actual: { readonly tokens: number; readonly usd: number | undefined; readonly exact: boolean }): Promise<void>;
  /** The attempt never reached the server: nothing was spent. */
  release(): Promise<void>;
}

/** Money and tokens, shared by every window and process of this user. */
export interface SpendLedger {
  /** Throws `ModelError('cap')` naming the cap if the worst case could pass any of them. */
  reserve(claim: SpendClaim, signal: AbortSignal): Promise<Reservation>;
  /** A reservation that was made before, maybe by a process that is gone. One that was settled or released stays so. */
  reopen(ticket: string): Reservation;
  spentInRun(runId: string): Promise<Spend>;
  /** Calendar day and month, in local time. */
  spentToday(): Promise<Spend>;
  spentThisMonth(): Promise<Spend>;
}
