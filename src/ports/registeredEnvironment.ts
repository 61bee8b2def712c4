import type { Task } from '../tasks/task.js';
import type { AttemptRequest, AttemptResult } from './environment.js';

/** The attempts of one step that an environment made, for it to comment on. */
export interface AttemptsToReflect {
  readonly task: Task;
  readonly result: AttemptResult;
}

/**
 * What another extension registers. Contract of `rollout`: one call is one independent attempt, nothing outside a
 * throw-away folder is changed, and the call ends when its signal is aborted. What it throws makes that attempt
 * invalid, never a score. Where it gives no `scores`, the task's checks judge the answer.
 */
export interface RegisteredEnvironment {
  /** As tasks name it in `environment`. */
  readonly name: string;
  /** Called once before the first attempt of a run; what it throws ends the run before anything is spent. */
  setup?(request: { readonly skillPath: string; readonly tasks: readonly Task[] }, signal: AbortSignal): Promise<void>;
  rollout(request: AttemptRequest, signal: AbortSignal): Promise<AttemptResult>;
  /** What reflection should know about these training attempts, in plain words; shown to the optimizer as data. */
  reflect?(attempts: readonly AttemptsToReflect[], signal: AbortSignal): Promise<string>;
  /** The kind of a task: batches hold every kind evenly. Its first tag where this is missing. */
  taskType?(task: Task): string;
  /** Which of its training tasks each batch of an epoch takes, by id; the default order where this is missing. */
  planBatches?(
    tasks: readonly Task[],
    plan: { readonly epoch: number; readonly batchSize: number; readonly seed: number },
  ): readonly (readonly string[])[];
}
