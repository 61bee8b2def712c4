/** What the optimizer is asked for. */
export type AskedAbout =
  | 'reflect'
  | 'merge'
  | 'rank'
  | 'rewrite'
  | 'edit_budget'
  | 'appendix'
  | 'slow_update'
  | 'meta_skill';

/** What a journal holds of the parts of a step that a run has only where its options ask for them. */
export type StepEvent =
  /** The skill was written anew: into so many edits, or into none for a reason. */
  | {
      readonly kind: 'rewritten';
      readonly step: number;
      readonly edits: number;
      /** Of the reply's text and its change summary; undefined where no reply could be read. */
      readonly textHash: string | undefined;
      readonly reason: string | undefined;
    }
  /** How many edits the optimizer wants of those that were proposed; `lost` says why the schedule was kept. */
  | {
      readonly kind: 'edit-budget';
      readonly step: number;
      readonly scheduled: number;
      readonly budget: number;
      /** So many were proposed. */
      readonly edits: number;
      readonly reasonHash?: string | undefined;
      readonly lost?: string | undefined;
    }
  /** What analysts put down to lapses, and how many reminders the appendix of the candidate holds. */
  | {
      readonly kind: 'reminders';
      readonly step: number;
      readonly found: number;
      readonly held: number;
      /** They had become too many, and the optimizer made fewer of them. */
      readonly consolidated: boolean;
      /** Names a list of those that were found. */
      readonly textHash: string;
      /** What was left out, with the reason. */
      readonly lost: readonly string[];
    };
