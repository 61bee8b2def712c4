import type { Side, Task } from '../task.js';
import { shareOutTags } from './balanceTags.js';
import { sides, SideTally, type Unit } from './fillSides.js';

/** Tasks that must lie on one side, in hash order. */
export type TaskGroup = readonly Task[];

/**
 * Places groups that nothing ties to a side, in the order given. Where nothing lies anywhere yet, single tasks are
 * then exchanged between the sides, which keep their sizes, so that every tag is spread evenly.
 */
export function placeGroups(groups: readonly TaskGroup[], placed: ReadonlyMap<Task, Side>): ReadonlyMap<Task, Side> {
  const tally = new SideTally();
  for (const [task, side] of placed) tally.add(unitOf([task]), side);
  const inOneGo = placed.size === 0;
  const chosen = new Map<TaskGroup, Side>();
  for (const group of groups) {
    const unit = inOneGo ? { size: group.length, tags: new Map<string, number>() } : unitOf(group);
    const side = tally.nextSide(unit);
    tally.add(unit, side);
    chosen.set(group, side);
  }
  if (inOneGo) spreadTags(groups, chosen);
  return new Map([...chosen].flatMap(([group, side]) => group.map((task): [Task, Side] => [task, side])));
}

function unitOf(group: TaskGroup): Unit {
  const tags = new Map<string, number>();
  for (const task of group) for (const tag of task.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1);
  return { size: group.length, tags };
}

function spreadTags(groups: readonly TaskGroup[], chosen: Map<TaskGroup, Side>): void {
  const singles = groups.filter((group) => group.length === 1);
  const byTags = new Map<string, TaskGroup[]>();
  for (const group of singles) {
    const key = [...(group[0]?.tags ?? [])].sort().join('\n');
    const stratum = byTags.get(key);
    if (stratum === undefined) byTags.set(key, [group]);
    else stratum.push(group);
  }
  const strata = [...byTags].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, members]) => members);
  const totals = { training: 0, heldOut: 0, sealed: 0 };
  for (const group of singles) totals[chosen.get(group) ?? 'training'] += 1;
  const quotas = shareOutTags(
    strata.map((members) => members.length),
    totals,
  );
  strata.forEach((members, index) => deal(members, { ...(quotas[index] ?? totals) }, chosen));
}

/** Whoever can stay where it is stays; the others take what is left. */
function deal(members: readonly TaskGroup[], quota: Record<Side, number>, chosen: Map<TaskGroup, Side>): void {
  const moving = members.filter((group) => {
    const side = chosen.get(group) ?? 'training';
    if (quota[side] === 0) return true;
    quota[side] -= 1;
    return false;
  });
  for (const group of moving) {
    const side = sides.find((one) => quota[one] > 0) ?? 'training';
    quota[side] -= 1;
    chosen.set(group, side);
  }
}
