/** How many tasks a step's figures are over, beside how many there are. */
export interface ScoredOn {
  readonly training: number;
  readonly trainingTasks: number;
  readonly original: number;
  readonly candidate: number;
  readonly current: number;
  readonly best: number;
  readonly heldOutTasks: number;
}
