import type { SplitResult } from './splitTasks.js';

/**
 * Held-out tasks that are almost the same count one by one, but prove less than different ones would: a note on each group,
 * and on each that only numbers tell apart, whether its others are held out too or in training.
 */
export function similarHeldOut({
  split,
  groups,
  numbered,
}: Pick<SplitResult, 'split' | 'groups' | 'numbered'>): readonly string[] {
  const heldOut = new Set(split.heldOut.map(({ id }) => id));
  const training = new Set(split.training.map(({ id }) => id));
  const similar = groups.flatMap((group) => {
    const ids = group.map(({ id }) => id).filter((id) => heldOut.has(id));
    if (ids.length < 2) return [];
    return [
      `Almost the same or of one origin: the held-out tasks ${named(ids)}. They prove less than so many different ones.`,
    ];
  });
  const counted = numbered.flatMap((group) => {
    const ids = group.map(({ id }) => id).filter((id) => heldOut.has(id));
    const isTrained = group.some(({ id }) => training.has(id));
    if (ids.length === 0 || (ids.length === 1 && !isTrained)) return [];
    return [
      isTrained
        ? `Only numbers tell them from training tasks: the held-out tasks ${named(ids)}. They prove less than tasks of other words, unless the number changes what is right.`
        : `Only numbers tell them apart: the held-out tasks ${named(ids)}. They prove less than tasks of other words, unless the number changes what is right.`,
    ];
  });
  return [...similar, ...counted];
}

const mostNamed = 4;

function named(ids: readonly string[]): string {
  const shown = ids.slice(0, mostNamed).map((id) => `“${id}”`);
  return ids.length > mostNamed ? `${shown.join(', ')} and ${ids.length - mostNamed} more` : shown.join(', ');
}
