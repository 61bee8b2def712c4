import { messageOf } from '../errors.js';
import type { AttemptResult } from '../ports/environment.js';
import type { AttemptsToReflect } from '../ports/registeredEnvironment.js';
import { fence } from '../prompts/fence.js';
import type { Task, TrainingTask } from '../tasks/task.js';
import type { Attempt, Rollout } from './stages/attempts.js';
import { batchesOf } from './stages/batches.js';
import type { RunContext } from './runContext.js';

export interface BatchPlan {
  readonly epoch: number;
  readonly batchSize: number;
  readonly seed: number;
}

/** What the environments of other extensions add to training. Each speaks for its own tasks alone. */
export interface EnvironmentHooks {
  /** The kind of a task; undefined where its environment has no word on it. */
  readonly taskType: (task: Task) => string | undefined;
  /** The batches of the tasks that an environment plans itself, as ids, and the tasks that none of them plans. */
  readonly planBatches: <T extends Task>(
    tasks: readonly T[],
    plan: BatchPlan,
  ) => { readonly planned: readonly (readonly T[])[]; readonly rest: readonly T[] };
  /** What the environments say about these attempts, one text each. */
  readonly remarks: (attempts: readonly AttemptsToReflect[], signal: AbortSignal) => Promise<readonly string[]>;
}

/** Long enough for a page of advice; the optimizer is asked about the attempts, not about the environment. */
const mostRemarkCharacters = 4_000;

/** The batches of one epoch: as the environments plan them, then the rest in the usual order. */
export function plannedBatches(
  { hooks }: Pick<RunContext, 'hooks'>,
  tasks: readonly TrainingTask[],
  plan: BatchPlan,
): readonly (readonly TrainingTask[])[] {
  if (hooks === undefined) return batchesOf(tasks, plan);
  const { planned, rest } = hooks.planBatches(tasks, plan);
  const kindOf = (task: Task): string => hooks.taskType(task) ?? task.tags[0] ?? '';
  return [...planned, ...(rest.length === 0 ? [] : batchesOf(rest, { ...plan, kindOf }))];
}

/** What the environments say about training attempts, as fenced data; empty where none says anything. */
export async function environmentRemarks(
  context: Pick<RunContext, 'hooks' | 'record'>,
  rollouts: readonly Rollout<TrainingTask>[],
  signal: AbortSignal,
): Promise<string> {
  if (context.hooks === undefined) return '';
  const attempts = rollouts.flatMap(({ task, attempts: made }) =>
    made.map((attempt) => ({ task, result: resultOf(attempt) })),
  );
  try {
    const remarks = (await context.hooks.remarks(attempts, signal)).filter((text) => text.trim() !== '');
    if (remarks.length === 0) return '';
    const texts = remarks.map((text) => fence('environment', text.slice(0, mostRemarkCharacters)));
    return ['# What the environment says about these attempts', ...texts].join('\n\n');
  } catch (error) {
    signal.throwIfAborted();
    // A comment that could not be had is no reason to lose the lesson.
    context.record({ kind: 'note', text: `An environment had no word on the attempts: ${messageOf(error)}` });
    return '';
  }
}

function resultOf(attempt: Attempt): AttemptResult {
  if (attempt.kind === 'invalid') return { kind: 'invalid', reason: attempt.reason };
  const { answer, transcript, cached, failure, extras, hard, soft } = attempt;
  return {
    kind: 'answered',
    answer,
    toolsCalled: transcript.flatMap((turn) =>
      turn.kind === 'tool' ? [{ name: turn.name, arguments: turn.arguments }] : [],
    ),
    transcript,
    usage: { inputTokens: 0, outputTokens: attempt.tokens, exact: false },
    cached,
    failure,
    scores: { hard, soft, reason: failure },
    extras,
  };
}
