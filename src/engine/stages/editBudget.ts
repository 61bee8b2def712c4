import { editBudgetPrompt, editBudgetReply, editBudgetReplySchema } from '../../prompts/edits/editBudget.js';
import { skillValue, type ShownPackage } from '../../prompts/reflection/packageFiles.js';
import { fence, renderPrompt } from '../../prompts/renderPrompt.js';
import { rowOf, type PatchItem } from '../patch.js';
import type { RunContext } from '../runContext.js';
import { updateMode } from '../updateMode.js';
import { askOptimizer } from './askOptimizer.js';
import { historyText, type PastStep } from './history.js';

/** Where a step stands when it is decided how many edits it takes. */
export interface BudgetStart extends ShownPackage {
  readonly step: number;
  /** What the schedule says. */
  readonly scheduled: number;
  /** Tasks of the step with a failed attempt, of those that could be attempted. */
  readonly failed: number;
  readonly attempted: number;
  readonly earlierSteps: readonly PastStep[];
}

/** The most edits that one analyst proposes: by the schedule, or by the budget of the run where the optimizer decides. */
export function mostProposed({ options: { edits } }: Pick<RunContext, 'options'>, scheduled: number): number {
  return edits.control === 'autonomous' ? edits.budget : scheduled;
}

/**
 * How many edits a step takes: what the schedule says, or what the optimizer says of the edits that there are, never above
 * the budget of the run. Where its reply cannot be read the schedule holds. A single edit leaves nothing to decide, and a
 * whole text is not counted in edits.
 */
export async function editBudget(
  context: RunContext,
  edits: readonly PatchItem[],
  start: BudgetStart,
  signal: AbortSignal,
): Promise<number> {
  const { control, budget: most } = context.options.edits;
  const { step, scheduled } = start;
  if (control !== 'autonomous' || edits.length < 2 || updateMode(context.options).whole) return scheduled;
  context.record({ kind: 'stage', stage: 'select', step, planned: 1 });
  const answer = await askOptimizer(
    context,
    {
      prompt: promptFor(context, edits, start),
      reply: editBudgetReply,
      replySchema: editBudgetReplySchema,
      about: 'edit_budget',
      step,
      part: '',
    },
    signal,
  );
  const isAnswered = answer.kind === 'answered';
  const budget = isAnswered ? Math.min(answer.value.edit_count, most) : scheduled;
  context.record({
    kind: 'edit-budget',
    step,
    scheduled,
    budget,
    edits: edits.length,
    ...(isAnswered ? { reasonHash: await context.texts.put(answer.value.reasoning) } : { lost: answer.reason }),
  });
  return budget;
}

function promptFor(context: RunContext, edits: readonly PatchItem[], start: BudgetStart): string {
  const numbered = edits.map((each, index) => ({ index, ...rowOf(each), support_count: each.support }));
  return renderPrompt(
    editBudgetPrompt,
    {
      most: Math.min(context.options.edits.budget, edits.length),
      attempted: start.attempted,
      failed: start.failed,
      skill: skillValue(start),
      edits: { words: fence('edits', JSON.stringify(numbered, undefined, 2)) },
      history: { words: historyText(start.earlierSteps, context.rejected) },
    },
    context.prompts,
  );
}
