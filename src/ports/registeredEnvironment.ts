import type { Task } from '../tasks/task.js';
import type { AttemptRequest, AttemptResult } from './environment.js';

/**
 * What another extension registers. `rollout` has the contract of `Environment.attempt`: one call is one independent
 * attempt, nothing outside a throw-away folder is changed, and it throws only what ends the whole run.
 */
export interface RegisteredEnvironment {
  /** As tasks name it in `environment`. */
  readonly name: string;
  /** Called once before the first attempt of a run. */
  setup?(request: { readonly skillPath: string; readonly tasks: readonly Task[] }, signal: AbortSignal): Promise<void>;
  rollout(request: AttemptRequest, signal: AbortSignal): Promise<AttemptResult>;
  /** What reflection should know about these attempts, in plain words; shown to the optimizer as data. */
  reflect?(
    attempts: readonly { readonly task: Task; readonly result: AttemptResult }[],
    signal: AbortSignal,
  ): Promise<string>;
  /** The kind of a task: batches hold every kind evenly. Its first tag where this is missing. */
  taskType?(task: Task): string;
  /** The order in which training tasks are gone through; the default order where this is missing. */
  planBatches?(
    tasks: readonly Task[],
    plan: { readonly epoch: number; readonly batchSize: number; readonly seed: number },
  ): readonly (readonly string[])[];
}
