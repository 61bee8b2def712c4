/** What a judge model was asked about an answer, as hashes: by them a grade of an earlier run is known again. */
export interface AskedCriterion {
  /** The task as the judge reads it, and the criterion. */
  readonly criterion: string;
  /** The words around both: ours, or those of the workspace. */
  readonly prompt: string;
}

/** How one check, or one natural-language expectation, came out. */
export interface CheckResult {
  readonly name: string;
  /** What was asked, in plain words; evidence for the optimizer unless `hidden`. */
  readonly criterion: string;
  /** The criterion and the reason are never shown to the optimizer. */
  readonly hidden: boolean;
  readonly pass: boolean;
  /** 0..1; for most checks 1 or 0. */
  readonly soft: number;
  readonly reason: string;
  /** Set where the answer alone does not tell: a judge, a program or the environment did, once. */
  readonly toldOnce?: true;
  /** Set where a judge model graded it: what it was asked. */
  readonly asked?: AskedCriterion;
  /** Set where there was nothing to ask about: it counts for nothing, and `pass` says only that it fails nobody. */
  readonly notAsked?: true;
  /** Set where something else failed the attempt: nobody looked whether the criterion holds. */
  readonly notRun?: true;
}

/** How an answer was judged. `invalid` is never a score. */
export type Judgement =
  | {
      readonly kind: 'judged';
      /** 1 when every check holds. */
      readonly hard: 0 | 1;
      /** What an environment gave for it, where that was a share: such an attempt has not passed. */
      readonly givenHard?: number;
      /** The share that holds, with what each check counts for in part. */
      readonly soft: number;
      readonly checks: readonly CheckResult[];
    }
  | { readonly kind: 'invalid'; readonly reason: string };
