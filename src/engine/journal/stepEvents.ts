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
    };
