export type BudgetSchedule = 'constant' | 'linear' | 'cosine';

/** How many edits step `step` (from 1) of `total` may make. The first step is already decayed, as in the paper's trainer. */
export function editBudgetAt(
  step: number,
  total: number,
  plan: { readonly budget: number; readonly minimum: number; readonly schedule: BudgetSchedule },
): number {
  if (total <= 1 || plan.schedule === 'constant') return plan.budget;
  const t = Math.min(step, total) / total;
  const span = plan.budget - plan.minimum;
  const exact =
    plan.schedule === 'linear' ? plan.budget - span * t : plan.minimum + 0.5 * span * (1 + Math.cos(Math.PI * t));
  return Math.max(plan.minimum, roundHalfToEven(exact));
}

/** The published sequences come from a language that rounds halves to the even neighbour. */
function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (Math.abs(rest - 0.5) > 1e-9) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}
