import { count } from '../amounts.js';
import type { Say } from '../translate.js';

/** Who spent the error budget of the held-out tasks, and how many new ones bring enough of it back. */
interface SpentBudget {
  readonly certifications: number;
  readonly newTasks: number;
  readonly elsewhere?: { readonly certifications: number; readonly names: string } | undefined;
}

/** Said before a run that could prove nothing, however well its candidate did: why, and what settles it. */
export function emptyBudgetAhead({ certifications, newTasks, elsewhere }: SpentBudget, say: Say): string {
  const all = count(certifications, 'certification', say);
  const why =
    elsewhere === undefined
      ? say('This run can prove nothing: {0} used up the error budget of these held-out tasks.', all)
      : say(
          'This run can prove nothing: {0} used up the error budget of these held-out tasks, {1} of them on the same tasks under {2}.',
          all,
          elsewhere.certifications,
          elsewhere.names,
        );
  const cure = say(
    'What settles it, before the run or for its proposal afterwards: {0}, or your recorded decision to start the budget afresh.',
    count(newTasks, 'new held-out task', say),
  );
  return `${why} ${cure}`;
}
