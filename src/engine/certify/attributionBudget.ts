import type { SplitTasks, Task } from '../../tasks/task.js';
import { metricScore } from '../../gate/statistics/scores.js';
import type { AttemptOutcome } from '../journal/attemptEvent.js';
import type { RunContext } from '../runContext.js';
import type { RunOptions } from '../runOptions.js';
import { scoresSealed } from './sealed.js';

/** So many calls attribution may make however small the run is. */
const leastCalls = 80;

/** The part of a run's planned calls that attribution may make beyond that. */
const shareOfPlan = 1 / 4;

/** What attribution may spend in a run, and what the run has seen of its tasks so far. */
export interface AttributionBudget {
  /** The calls that are left for it; undefined where nothing bounds it. */
  readonly left: () => number | undefined;
  /** How many calls one attempt at this task makes. */
  readonly cost: (task: Task) => number;
  /** The scores of the run's own attempts at a training task, in the order in which they came. */
  readonly seen: (task: Task) => readonly number[];
}

/**
 * Listens to a run until its edits are measured. A bound is told from the attempts and replies that count, so that a run
 * which is resumed has the same one: calls that were repeated or stored are no part of it.
 */
export function countForAttribution(
  context: RunContext,
  tasks: SplitTasks,
): { readonly context: RunContext; readonly budget: AttributionBudget } {
  const cost = costIn(context);
  const costs = new Map([...tasks.training, ...tasks.heldOut, ...tasks.sealed].map((task) => [task.id, cost(task)]));
  const seen = new Map<string, number[]>();
  const count = { made: 0, attributed: 0 };
  const record: RunContext['record'] = (event) => {
    if (event.kind === 'optimizer-replied') count.made++;
    if (event.kind === 'attempt') {
      if (event.stage !== 'certify')
        count[event.stage === 'attribute' ? 'attributed' : 'made'] += costs.get(event.taskId) ?? 1;
      const isTraining = event.stage === 'rollout' || event.stage === 'front';
      const score = isTraining ? scoreIn(context, event.outcome) : undefined;
      if (score !== undefined) seen.set(event.taskId, [...(seen.get(event.taskId) ?? []), score]);
    }
    context.record(event);
  };
  const left = (): number | undefined => {
    const most = mostAttributionCalls(context.options, count.made + ahead(context.options, tasks, cost));
    return most === undefined ? undefined : Math.max(0, most - count.attributed);
  };
  return { context: { ...context, record }, budget: { left, cost, seen: ({ id }) => seen.get(id) ?? [] } };
}

function scoreIn({ options: { gate } }: RunContext, outcome: AttemptOutcome): number | undefined {
  return outcome.kind === 'scored' ? metricScore(outcome, gate.metric, gate.mixedWeight) : undefined;
}

/**
 * The most calls that attribution makes, the comparison with the bundle included, in a run with so many calls planned:
 * those of the training, one pass of the certification and the sealed tasks. Undefined where nothing bounds it.
 */
export function mostAttributionCalls(
  { gate: { attributionCalls } }: Pick<RunOptions, 'gate'>,
  planned: number,
): number | undefined {
  if (attributionCalls === 'unbounded') return undefined;
  return attributionCalls ?? Math.max(leastCalls, Math.floor(shareOfPlan * planned));
}

/** One pass and the sealed tasks, which the run still has to make. */
function ahead({ gate }: RunOptions, { heldOut, sealed }: SplitTasks, cost: (task: Task) => number): number {
  const once = (tasks: readonly Task[]): number => tasks.reduce((sum, task) => sum + cost(task), 0);
  const passes = { confident: 2, strict: 1, off: 0 }[gate.rule];
  return passes * once(heldOut) + (scoresSealed(gate) ? 2 * once(sealed) : 0);
}

/** Told from the task alone, as the price of a pass is. */
function costIn({ passCost }: RunContext): AttributionBudget['cost'] {
  const nothing = { skill: '', memory: undefined };
  return (task) => Math.max(1, (passCost?.({ before: nothing, after: nothing }, [task]).calls ?? 2) / 2);
}
