/** How a certification is decided. */
export type GateRule = 'confident' | 'strict' | 'off';

export type GateMetric = 'hard' | 'soft' | 'mixed';

/** One held-out task in a comparison: how often it passed, and its mean score, on each side. */
export interface TaskComparison {
  readonly id: string;
  readonly before: SideResult;
  readonly after: SideResult;
}

export interface SideResult {
  readonly passes: number;
  readonly valid: number;
  readonly invalid: number;
  /** Mean under the gate metric over the valid attempts; undefined where none was valid or none was needed. */
  readonly score: number | undefined;
}

/** The figures beneath a verdict. Everything in 0..1; `difference` is after minus before. */
export interface GateFigures {
  readonly rule: GateRule;
  readonly metric: GateMetric;
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /** 95 % interval of the difference; undefined where the rule gives none. */
  readonly interval: readonly [number, number] | undefined;
  readonly p: number | undefined;
  readonly pTask: number | undefined;
  readonly alpha: number | undefined;
  readonly n: number;
  /** How many of `n` were not attempted, because no score of theirs could change the answer; absent where all were. */
  readonly notNeeded?: number | undefined;
  /** How many of `n` have no attempt with a result on both sides, so that nothing here is about them; absent where all have. */
  readonly unpaired?: number | undefined;
  readonly passes: number;
  readonly invalid: number;
  readonly fixed: readonly string[];
  readonly regressed: readonly string[];
  /** What should make a reader doubt the figures, as sentences. */
  readonly warnings: readonly string[];
}

/** Why a proposal was never measured as it stands. */
export type UnmeasuredCause =
  | 'gate-off'
  | 'no-held-out'
  | 'leaked'
  | 'partly-accepted'
  | 'edited-by-hand'
  | 'nothing-proposed'
  | 'made-elsewhere'
  | 'not-certified';

/** Why a certification could not end. Nothing else is inconclusive. */
export type InconclusiveCause = 'too-few-tasks' | 'too-many-invalid' | 'error-budget-empty' | 'cap';

/** What a person is told about a proposal. `reason` is one sentence for people. */
export type Verdict =
  | { readonly kind: 'accepted'; readonly reason: string; readonly figures: GateFigures }
  | { readonly kind: 'rejected'; readonly reason: string; readonly figures: GateFigures }
  | {
      readonly kind: 'inconclusive';
      readonly reason: string;
      readonly cause: InconclusiveCause;
      /** What would settle it, as a sentence ("5 more held-out tasks"). */
      readonly cure: string;
      readonly figures: GateFigures | undefined;
    }
  | { readonly kind: 'unmeasured'; readonly reason: string; readonly cause: UnmeasuredCause };
