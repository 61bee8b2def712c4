import type { Task } from '../tasks/task.js';

/** What a check of one's own says of an answer: whether it passes, with a score from 0 to 1 and a reason where it has them. */
export type OwnOutcome = boolean | { readonly pass: boolean; readonly score?: number; readonly reason?: string };

/** A check of one's own, which runs in the process that trains. */
export interface OwnCheck {
  /** As tasks name it in `check`. */
  readonly name: string;
  /** What is asked, in plain words, as a requirement that a skill may state; shown to the optimizer. */
  readonly criterion: string | ((options: Readonly<Record<string, unknown>>) => string);
  /**
   * Looks at one answer. `options` are the task's further fields of this check. What it throws makes the attempt invalid,
   * never a score.
   */
  readonly evaluate: (
    answer: string,
    options: Readonly<Record<string, unknown>>,
    given: { readonly task: Task; readonly signal: AbortSignal },
  ) => OwnOutcome | Promise<OwnOutcome>;
}
