import { mapInSteps, type Steps } from '../steps.js';
import type { Side, Task } from '../task.js';
import { sides, SideTally, type Unit, type SideCounts } from './fillSides.js';

/** Tasks that must lie on one side, in hash order. */
export type TaskGroup = readonly Task[];

/**
 * Places groups that nothing ties to a side, in the order given. Where nothing lies anywhere yet, single tasks are
 * then exchanged between the sides, which keep their sizes, so that every tag is spread evenly.
 */
export function* placeGroups(
  groups: readonly TaskGroup[],
  placed: ReadonlyMap<Task, Side>,
): Steps<ReadonlyMap<Task, Side>> {
  const tally = new SideTally();
  for (const [task, side] of placed) tally.add(unitOf([task]), side);
  const inOneGo = placed.size === 0;
  const chosen = new Map<TaskGroup, Side>();
  yield* mapInSteps(groups, (group) => {
    const unit = inOneGo ? { size: group.length, tags: new Map<string, number>() } : unitOf(group);
    const side = tally.nextSide(unit);
    tally.add(unit, side);
    chosen.set(group, side);
  });
  yield;
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

/**
 * How many tasks of each tag go to each side, given how many go there in all: every figure is its exact share rounded
 * up or down, so never a whole task off, and rows and columns still add up. Such a table always exists: the exact
 * shares are a flow, and a flow with whole sums can be made whole.
 */
export function shareOutTags(tagSizes: readonly number[], totals: SideCounts): readonly SideCounts[] {
  const all = tagSizes.reduce((sum, size) => sum + size, 0);
  const rows = tagSizes.map((size) => roundedDown(size, totals, all));
  const room = { ...totals };
  for (const { floor } of rows) for (const side of sides) room[side] -= floor[side];
  const movers = new Map<string, Set<Row>>();
  rows.forEach((row, index) => {
    const left = (tagSizes[index] ?? 0) - sides.reduce((sum, side) => sum + row.floor[side], 0);
    for (let unit = 0; unit < left; unit += 1) roundUp(row, room, movers);
  });
  return rows.map(({ floor, up }) => ({
    training: floor.training + (up.has('training') ? 1 : 0),
    heldOut: floor.heldOut + (up.has('heldOut') ? 1 : 0),
    sealed: floor.sealed + (up.has('sealed') ? 1 : 0),
  }));
}

interface Row {
  readonly floor: SideCounts;
  /** Sides where the exact share is no whole number, so that it may be rounded up. */
  readonly fractional: ReadonlySet<Side>;
  /** Sides where it is. */
  readonly up: Set<Side>;
}

function roundedDown(size: number, totals: SideCounts, all: number): Row {
  const floorOf = (side: Side): number => (all === 0 ? 0 : Math.floor((size * totals[side]) / all));
  return {
    floor: { training: floorOf('training'), heldOut: floorOf('heldOut'), sealed: floorOf('sealed') },
    fractional: new Set(sides.filter((side) => all > 0 && (size * totals[side]) % all !== 0)),
    up: new Set(),
  };
}

/** Rounds one more figure of a row up; where that side is full, rows that are up there move on until one has room. */
function roundUp(row: Row, room: Record<Side, number>, movers: Map<string, Set<Row>>): void {
  const starts = sides.filter((side) => row.fractional.has(side) && !row.up.has(side));
  const cameFrom = new Map<Side, { readonly from: Side; readonly via: Row } | undefined>(
    starts.map((side) => [side, undefined]),
  );
  for (const side of cameFrom.keys()) {
    if (room[side] > 0) {
      room[side] -= 1;
      moveAlong(side, row, { cameFrom, movers });
      return;
    }
    for (const next of sides) {
      const [via] = movers.get(`${side}>${next}`) ?? [];
      if (via !== undefined && !cameFrom.has(next)) cameFrom.set(next, { from: side, via });
    }
  }
}

function moveAlong(
  end: Side,
  row: Row,
  {
    cameFrom,
    movers,
  }: {
    readonly cameFrom: ReadonlyMap<Side, { readonly from: Side; readonly via: Row } | undefined>;
    readonly movers: Map<string, Set<Row>>;
  },
): void {
  let side = end;
  for (let hop = cameFrom.get(side); hop !== undefined; hop = cameFrom.get(side)) {
    hop.via.up.delete(hop.from);
    hop.via.up.add(side);
    noteMoves(hop.via, movers);
    side = hop.from;
  }
  row.up.add(side);
  noteMoves(row, movers);
}

function noteMoves(row: Row, movers: Map<string, Set<Row>>): void {
  for (const from of sides) {
    for (const to of sides) {
      const key = `${from}>${to}`;
      const able = movers.get(key) ?? new Set();
      movers.set(key, able);
      if (row.up.has(from) && row.fractional.has(to) && !row.up.has(to)) able.add(row);
      else able.delete(row);
    }
  }
}
