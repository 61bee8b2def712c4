/** What a journal holds of the parts of a step that a run has only where its options ask for them. */
export type StepEvent =
  /** How many edits the optimizer wants of those that were proposed; `lost` says why the schedule was kept. */
  {
    readonly kind: 'edit-budget';
    readonly step: number;
    readonly scheduled: number;
    readonly budget: number;
    /** So many were proposed. */
    readonly edits: number;
    readonly reasonHash?: string | undefined;
    readonly lost?: string | undefined;
  };
