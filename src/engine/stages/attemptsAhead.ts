import type { Task } from '../../tasks/task.js';
import type { LikelyAttempt } from '../askAhead.js';
import type { RunEvent } from '../journal/runEvents.js';
import type { AheadOfStage, RunContext } from '../runContext.js';
import type { StepPlan } from '../stepPlans.js';
import type { Attempt } from './attempts.js';
import { attemptOnce, trainingPlan, type RollOutPlan, type TrainingStep } from './rollOut.js';

/** An attempt that was begun before its stage, and what it would have written down. */
interface EarlyAttempt {
  readonly attempt: Promise<Attempt>;
  readonly events: RunEvent[];
}

/**
 * The first training attempts, made in the places that the baseline leaves idle: they do not depend on it, so no round
 * waits for another. What they come to is written down in their own stage, as if they had been made there. Where that
 * stage never comes, because nothing is left to learn, those not begun are never made.
 */
export class AttemptsAhead {
  readonly #context: RunContext;
  readonly #calls: AheadOfStage;
  readonly #plan: RollOutPlan;
  readonly #signal: AbortSignal;
  readonly #waiting: { readonly task: Task; readonly number: number }[];
  readonly #begun = new Map<string, EarlyAttempt>();
  readonly #over: Promise<void>[] = [];

  constructor(
    context: RunContext,
    calls: AheadOfStage,
    { tasks, plan }: { readonly tasks: readonly Task[]; readonly plan: RollOutPlan },
    signal: AbortSignal,
  ) {
    this.#context = context;
    this.#calls = calls;
    this.#plan = plan;
    this.#signal = signal;
    const single = tasks.filter((task) => context.batched?.holds(task) !== true); // a batch is not taken apart
    const jobs = single.flatMap((task) => plan.attempts.map((number) => ({ task, number })));
    this.#waiting = jobs.slice(0, context.options.concurrency);
  }

  /** Begins the next one; resolves once it is over, whatever came of it. */
  readonly begin = (): Promise<void> | undefined => {
    const next = this.#waiting.shift();
    if (next === undefined) return undefined;
    const events: RunEvent[] = [];
    const { attempt, judge } = this.#calls;
    const context = { ...this.#context, attempt, judge, record: (event: RunEvent) => void events.push(event) };
    const made = attemptOnce(context, next, this.#plan, this.#signal);
    this.#begun.set(keyOf(next.task, next.number), { attempt: made, events });
    const over = made.then(
      () => undefined,
      () => undefined, // thrown where it is taken
    );
    this.#over.push(over);
    return over;
  };

  /** Their stage has begun: no call of theirs waits any longer, and no further one is made ahead. */
  arrive(): void {
    this.#waiting.length = 0;
    this.#calls.arrive();
  }

  /** What was begun of an attempt, now written down; undefined where nothing was. */
  take(task: Task, number: number): Promise<Attempt> | undefined {
    const key = keyOf(task, number);
    const begun = this.#begun.get(key);
    if (begun === undefined) return undefined;
    this.#begun.delete(key); // a later step attempts it anew
    return begun.attempt.then((attempt) => {
      for (const event of begun.events) this.#context.record(event);
      return attempt;
    });
  }

  /** Nothing goes on when a run is over: no further call is made, and those under way are waited for. */
  async end(): Promise<void> {
    this.#waiting.length = 0;
    this.#calls.drop();
    await Promise.all(this.#over);
  }
}

/** Those of a step that can be made beside the baseline; undefined where there is no room for any. */
export function attemptsAhead(
  context: RunContext,
  step: StepPlan | undefined,
  under: Pick<TrainingStep, 'slot' | 'current'>,
  signal: AbortSignal,
): AttemptsAhead | undefined {
  if (step === undefined) return undefined;
  const plan = trainingPlan(context, { ...step, ...under });
  const calls = context.ahead?.({ stage: plan.stage, step: plan.step });
  return calls === undefined ? undefined : new AttemptsAhead(context, calls, { tasks: step.batch, plan }, signal);
}

/** All attempts of a step: asked together with the baseline where somebody answers by hand. */
export function firstAttempts(
  context: RunContext,
  step: StepPlan | undefined,
  under: Pick<TrainingStep, 'slot' | 'current'>,
): readonly LikelyAttempt[] {
  if (step === undefined) return [];
  const plan = trainingPlan(context, { ...step, ...under });
  return step.batch.flatMap((task) => plan.attempts.map((number) => ({ task, number, plan })));
}

function keyOf({ id }: Task, number: number): string {
  return JSON.stringify([id, number]);
}
