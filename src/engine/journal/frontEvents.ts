/** One candidate of the front as the journal holds it. */
export interface FrontRow {
  readonly hash: string;
  /** The step that made it; 0 is the skill as it was. */
  readonly step: number;
  /** Over the training tasks that all of them have a score for. */
  readonly score: number | undefined;
  readonly tasks: number;
  /** On how many training tasks none is better. */
  readonly bestOn: number;
  readonly skillTokens: number;
  /** Of an answer, as a mean; undefined where it was not measured. */
  readonly answerTokens: number | undefined;
  readonly answerMs: number | undefined;
}

/** The front of candidates after a step. */
export interface FrontEvent {
  readonly kind: 'front';
  readonly step: number;
  /** The candidate that the step started from. */
  readonly parentHash: string;
  /** The tasks whose attempts under it the step learned from. */
  readonly tasks: readonly string[];
  /** What the step made; undefined where it made nothing. */
  readonly candidateHash: string | undefined;
  /** What that came to, also where it did not stay; missing in runs of earlier versions. */
  readonly candidate?: FrontRow | undefined;
  /** The one that the rule names now. */
  readonly choiceHash: string;
  readonly rows: readonly FrontRow[];
}
