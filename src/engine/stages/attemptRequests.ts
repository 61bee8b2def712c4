import type { AttemptRequest } from '../../ports/environment.js';
import type { SidedTask, Task } from '../../tasks/task.js';
import type { RunContext } from '../runContext.js';
import type { RollOutPlan } from './rollOut.js';

/** The same context, where attempts that environments make many of in one go are made so. */
export function withBatches(
  context: RunContext,
  jobs: readonly { readonly task: Task; readonly number: number }[],
  plan: AttemptPlan,
): RunContext {
  const { batched } = context;
  if (batched === undefined) return context;
  const requests = jobs
    .filter(({ task }) => batched.holds(task))
    .map(({ task, number }) => requestFor(context, task, number, plan));
  return { ...context, attempt: batched.open(requests) };
}

type AttemptPlan = Omit<RollOutPlan, 'attempts'>;

/** One attempt under the text of its plan. */
interface PlannedAttempt {
  readonly task: Task;
  readonly number: number;
  readonly plan: AttemptPlan;
}

/** The same for attempts under several texts, each in the batch of its own text. */
export function withBatchesByText(
  context: RunContext,
  jobs: readonly PlannedAttempt[],
): (job: PlannedAttempt) => RunContext {
  if (context.batched === undefined) return () => context;
  const keyOf = ({ plan: { skill, memory, files } }: PlannedAttempt): string => JSON.stringify([skill, memory, files]);
  const byText = new Map<string, PlannedAttempt[]>();
  for (const job of jobs) byText.set(keyOf(job), [...(byText.get(keyOf(job)) ?? []), job]);
  const contexts = new Map(
    [...byText].map(([key, own]) => [key, own[0] === undefined ? context : withBatches(context, own, own[0].plan)]),
  );
  return (job) => contexts.get(keyOf(job)) ?? context;
}

/** What an environment is asked for: one attempt. */
export function requestFor(context: RunContext, task: Task, attempt: number, plan: AttemptPlan): AttemptRequest {
  return {
    task,
    skill: plan.skill,
    memory: plan.memory,
    ...(plan.files === undefined ? {} : { files: plan.files }),
    phase: phaseOf(task),
    seed: context.options.train.seed,
    attempt,
    family: plan.family,
  };
}

/** The side of the split that a task is on; one that is only tried, a draft say, is on none. */
export function phaseOf(task: Task | SidedTask): AttemptRequest['phase'] {
  return 'side' in task ? task.side : 'single';
}
