import type { Side } from '../task.js';
import { sides, type SideCounts } from './fillSides.js';

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
