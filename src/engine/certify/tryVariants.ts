import { addBlock, nextBlock, nextTasks, type Attribution } from '../../gate/statistics/attribution.js';
import { planBlocks, tellingOrder, type BlockPlan, type Subset } from '../../gate/statistics/attributionPlan.js';
import type { Claim } from '../../gate/statistics/certification.js';
import type { TrainingTask } from '../../tasks/task.js';
import { scoreOf } from '../stages/attempts.js';
import { chunksOf } from '../stepPlans.js';
import type { AttributionBudget } from './attributionBudget.js';
import type { Candidate, DocumentSlot } from '../candidate.js';
import { askingAhead } from '../askAhead.js';
import { concurrently } from '../concurrently.js';
import type { PatchEdit } from '../patch.js';
import { withBatchesByText } from '../stages/attemptRequests.js';
import { attemptOnce } from '../stages/rollOut.js';
import { refuseSilence } from '../stages/silence.js';
import type { RunContext } from '../runContext.js';
import { withEdits } from '../stages/update.js';

/** The edits of a run's best, and the training tasks that tell what they are worth. */
export interface AttributionInput {
  readonly original: Candidate;
  readonly best: Candidate;
  readonly tasks: readonly TrainingTask[];
  readonly slot: DocumentSlot;
  readonly budget: AttributionBudget;
  /** What the kept edits are to show: a gain, or no loss where the text gets shorter. */
  readonly claim?: Claim | undefined;
}

/** The same with the edits in the groups that are tried together. */
export type GroupedEdits = AttributionInput & {
  readonly groups: readonly (readonly PatchEdit[])[];
  /** What the report says of the groups. */
  readonly notes: readonly string[];
};

/** The tasks with the most telling first where not all of them can be tried, and the blocks that are paid for. */
export function plannedTasks({ tasks, budget, groups }: Omit<GroupedEdits, 'notes'>): {
  readonly tasks: readonly TrainingTask[];
  readonly plan: BlockPlan;
} {
  const factors = groups.length;
  const planOf = (order: readonly TrainingTask[]) =>
    planBlocks({ factors, costs: order.map(budget.cost), mostCalls: budget.left() });
  const plan = planOf(tasks);
  if (!plan.bounded) return { tasks, plan };
  const ids = tasks.map(({ id }) => id);
  const taughtBy = (group: readonly PatchEdit[]): readonly number[] =>
    group.flatMap((each) => each.tasks.map((id) => ids.indexOf(id)).filter((at) => at >= 0));
  const known = { seen: tasks.map(budget.seen), taught: groups.map(taughtBy) };
  const telling = tellingOrder(known).flatMap((task) => tasks[task] ?? []);
  return { tasks: telling, plan: planOf(telling) };
}

/** Every variant of the next block on every task of it. */
export async function measureBlock(
  context: RunContext,
  measuring: GroupedEdits,
  attribution: Attribution,
  signal: AbortSignal,
): Promise<Attribution> {
  const tasks = nextTasks(attribution);
  const scores = await askingAhead(
    context,
    () => tryVariants(context, measuring, triedIn(attribution), signal),
    async () => {
      const jobs = furtherBlocks(attribution).map((each) => variantJobs(context, measuring, triedIn(each), signal));
      return (await Promise.all(jobs)).flat();
    },
    signal,
  );
  return addBlock(attribution, chunksOf(scores, tasks.length));
}

/** What the next block tries. */
function triedIn(attribution: Attribution): VariantTries {
  const tasks = nextTasks(attribution);
  const tried = nextBlock(attribution).flatMap((variant) => tasks.map((task) => ({ task, variant })));
  return { block: attribution.blocks + 1, tried };
}

/** As it will stand before each of the blocks after the next. */
function furtherBlocks(attribution: Attribution): readonly Attribution[] {
  const { plan, blocks } = attribution;
  const left = Math.max(0, plan.blocks.length - blocks - 1);
  return Array.from({ length: left }, (_, index) => ({ ...attribution, blocks: blocks + 1 + index }));
}

interface VariantTries {
  readonly block: number;
  readonly tried: readonly { readonly task: number; readonly variant: Subset }[];
}

/** One attempt each; undefined where the world prevented it. */
export async function tryVariants(
  context: RunContext,
  measuring: GroupedEdits,
  trying: VariantTries,
  signal: AbortSignal,
): Promise<readonly (number | undefined)[]> {
  context.record({ kind: 'stage', stage: 'attribute', step: trying.block, planned: trying.tried.length });
  const jobs = await variantJobs(context, measuring, trying, signal);
  const within = withBatchesByText(context, jobs);
  const scores = await concurrently(jobs, context.options.concurrency, async (job) => {
    const attempt = await attemptOnce(within(job), job, job.plan, signal);
    return attempt.kind === 'scored' ? scoreOf(attempt, context.options.gate) : undefined;
  });
  await refuseSilence(context, 'attempts', signal);
  return scores;
}

async function variantJobs(
  context: RunContext,
  { original, groups, tasks, slot }: GroupedEdits,
  { block, tried }: VariantTries,
  signal: AbortSignal,
) {
  const shared = {
    stage: 'attribute',
    step: block,
    family: `attribution:${context.options.train.seed}:${block}`,
  } as const;
  const readings = new Map<Subset, ReturnType<DocumentSlot>>();
  for (const { variant } of tried) {
    if (readings.has(variant)) continue;
    const edits = variant.flatMap((factor) => groups[factor] ?? []);
    readings.set(variant, slot((await withEdits(context, original, edits, signal)).candidate));
  }
  return tried.flatMap(({ task: at, variant }) => {
    const [task, reading] = [tasks[at], readings.get(variant)];
    return task === undefined || reading === undefined ? [] : [{ task, number: 1, plan: { ...shared, ...reading } }];
  });
}
