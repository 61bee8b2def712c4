import type { SplitResult } from './splitTasks.js';

/** Held-out tasks that are almost the same count one by one, but prove less than different ones would: a note on each group. */
export function similarHeldOut({ split, groups }: Pick<SplitResult, 'split' | 'groups'>): readonly string[] {
  const heldOut = new Set(split.heldOut.map(({ id }) => id));
  return groups.flatMap((group) => {
    const ids = group.map(({ id }) => id).filter((id) => heldOut.has(id));
    if (ids.length < 2) return [];
    const shown = ids.slice(0, mostNamed).map((id) => `“${id}”`);
    const names = ids.length > mostNamed ? `${shown.join(', ')} and ${ids.length - mostNamed} more` : shown.join(', ');
    return [
      `Almost the same or of one origin: the held-out tasks ${names}. They prove less than so many different ones.`,
    ];
  });
}

const mostNamed = 4;
