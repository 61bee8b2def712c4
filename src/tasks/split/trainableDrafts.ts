import { canonicalHash } from '../canonicalHash.js';
import type { Steps } from '../steps.js';
import type { Side, Task } from '../task.js';
import { bondsOf, groupNewcomers, inHashOrder } from './groupNewcomers.js';
import type { TaskGroup } from './placeGroups.js';

/**
 * The drafts that could be learned from before anybody confirmed them, in the order given. None that is of one origin with,
 * or almost the same as, a task on another side. What was learned from proves nothing ever after, so half of the groups,
 * always the same ones, are left for the person to confirm.
 */
export function* trainableDrafts<Draft extends Task>(
  drafts: readonly Draft[],
  anchors: ReadonlyMap<Task, Side>,
): Steps<readonly Draft[]> {
  const ordered = inHashOrder([...anchors.keys(), ...drafts]);
  const { bonds } = yield* bondsOf(ordered);
  const { free, forced } = groupNewcomers(drafts, { bonds, anchors, ordered });
  const taken = new Set<Task>([
    ...free.filter(isForTraining).flat(),
    ...[...forced].flatMap(([task, side]) => (side === 'training' ? [task] : [])),
  ]);
  return drafts.filter((task) => taken.has(task));
}

function isForTraining(group: TaskGroup): boolean {
  const [first = ''] = group.map(({ origin, contentHash }) => canonicalHash([origin ?? contentHash])).sort();
  return Number.parseInt(first.slice(-1), 16) % 2 === 0;
}
