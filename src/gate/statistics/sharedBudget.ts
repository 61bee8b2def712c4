import { freshTasks, wholeErrorBudget, type ErrorBudget, type HeldOutFacts } from './errorBudget.js';
import { epsilon } from './walk.js';

/** Another skill of the same person that was certified on some of the held-out tasks at hand. */
export interface SharingSkill {
  readonly skill: string;
  /** What its own certifications cost, less what was brought back since. */
  readonly spent: number;
  /** Those of the held-out tasks, by their content hashes, that it was certified on. */
  readonly shared: ReadonlySet<string>;
}

/**
 * What is missing of a budget because of the skill's own certifications, and how many these are: what other skills have to
 * count. Those on the simulated model are not among them.
 */
export function spentHere({ remaining, takenElsewhere = 0, certifications }: ErrorBudget): {
  readonly spent: number;
  readonly certifications: number;
} {
  const real = certifications.filter(({ simulated }) => simulated !== true);
  const paid = real.reduce((sum, { alpha }) => sum + alpha, 0);
  const missing = Math.max(0, wholeErrorBudget - remaining - takenElsewhere);
  return { spent: Math.min(missing, paid), certifications: real.length };
}

/**
 * The budget with what other skills spent on the same held-out tasks: a copy of a repository or of a skill is no second
 * chance. What another spent counts by the part of the tasks that it was certified on too: in full for a copy, which
 * begins with what is left, and not at all for skills without a task in common. That is never less than a list that
 * changes within one skill costs. One task that many skills share costs its share of the budget, however many they are.
 * What was counted once is not counted again, and new tasks bring back what they bring, once.
 */
export function chargeSharing(
  before: ErrorBudget,
  heldOut: readonly string[],
  { sharing, facts }: { readonly sharing: readonly SharingSkill[]; readonly facts: HeldOutFacts },
): ErrorBudget {
  const others = sharing.filter(({ shared }) => shared.size > 0);
  if (others.length === 0) return before;
  const present = [...new Set(heldOut)];
  const fresh = new Set(freshTasks(before, present, facts));
  const counted = present.filter((hash) => !fresh.has(hash));
  const isShared = (hash: string): boolean => others.some(({ shared }) => shared.has(hash));
  const shareOf = (isIn: (hash: string) => boolean): number => counted.filter(isIn).length / counted.length;
  // It only grows: whoever had the other's tasks once is not rid of what it spent by adding some.
  const largest = Math.max(shareOf(isShared), ...(before.elsewhere ?? []).map(({ share }) => share));
  return others.reduce(
    (budget, { skill, spent, shared }) =>
      chargeOne(budget, { skill, spent, share: shareOf((hash) => shared.has(hash)), most: wholeErrorBudget * largest }),
    before,
  );
}

interface Charge extends Pick<SharingSkill, 'skill' | 'spent'> {
  readonly share: number;
  /** The most that may be missing because of other skills. */
  readonly most: number;
}

function chargeOne(budget: ErrorBudget, { skill, spent, share: now, most }: Charge): ErrorBudget {
  const { elsewhere = [], takenElsewhere = 0, remaining } = budget;
  const earlier = elsewhere.find((each) => each.skill === skill) ?? { skill, share: 0, charged: 0 };
  const share = Math.max(earlier.share, now);
  const charged = Math.max(earlier.charged, spent * share);
  if (earlier.share === share && charged - earlier.charged <= epsilon) return budget;
  const taken = Math.max(0, Math.min(remaining, charged - earlier.charged, most - takenElsewhere));
  return {
    ...budget,
    remaining: remaining - taken,
    elsewhere: [...elsewhere.filter((each) => each.skill !== skill), { skill, share, charged }],
    ...(takenElsewhere + taken > 0 ? { takenElsewhere: takenElsewhere + taken } : {}),
  };
}
