import type { FleetSkill } from '../../src/schedule/fleet/fleetPlan.js';
import type { PastNight } from '../../src/schedule/fleet/nightWorth.js';

/** A skill whose gain a planner is not told. */
export interface SimulatedSkill extends FleetSkill {
  readonly name: string;
  /** What a night would gain for it now. */
  readonly gain: number;
}

/** Numbers between 0 and 1, the same for the same seed (mulberry32). */
export function draws(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface FleetOptions {
  readonly skills: number;
  readonly seed: number;
  /** How far headroom, past gains, age and use together correlate with the gain. */
  readonly correlation: number;
  /** What a run costs; 1 each unless it is said. */
  readonly cost?: (draw: () => number) => number;
}

/**
 * A fleet whose gains are the plain sum of four standardised signals and of noise that has nothing to do with them, with
 * the correlation that was asked for. The planner's own formula is another one: a product, which knows no weights of this.
 */
export function aFleet({ skills, seed, correlation, cost = () => 1 }: FleetOptions): readonly SimulatedSkill[] {
  const draw = draws(seed);
  const seen = Array.from({ length: skills }, (_, index) => ({ name: `skill-${index}`, ...aSeenSkill(draw, cost) }));
  const signals = signalsOf(seen);
  const index = standardised(seen.map((_, at) => signals.reduce((sum, signal) => sum + (signal[at] ?? 0), 0)));
  const noise = apartFrom(index, standardised(seen.map(() => normal(draw))));
  // Clipping at 0 takes some of the correlation away: as much as that is planted on top.
  const planted = Math.min(0.999, correlation * 1.005);
  return seen.map((skill, at) => {
    const standard = planted * (index[at] ?? 0) + Math.sqrt(1 - planted ** 2) * (noise[at] ?? 0);
    return { ...skill, gain: Math.max(0, 0.06 + 0.06 * standard) };
  });
}

function aSeenSkill(draw: () => number, cost: (draw: () => number) => number): FleetSkill {
  const talent = 0.25 * Math.exp(0.6 * normal(draw));
  const room = 0.05 + 0.85 * draw();
  const past = Array.from({ length: Math.floor(4 * draw()) }, (): PastNight => {
    const before = Math.min(1, room + 0.2 * draw());
    return { room: before, gain: Math.max(0, Math.min(before, before * talent * (1 + 0.5 * normal(draw)))) };
  });
  const daysSinceTried = past.length === 0 ? undefined : Math.min(60, -14 * Math.log(1 - draw()));
  const uses = draw() < 0.2 ? undefined : Math.floor(Math.exp(1 + 1.2 * normal(draw)));
  return { room, past, daysSinceTried, uses, cost: { calls: cost(draw) } };
}

/** What is seen of a fleet as four columns; the mean stands where nothing is known, and the longest wait where nobody tried. */
export function signalsOf(skills: readonly FleetSkill[]): readonly (readonly number[])[] {
  const gains = skills.map(({ past }) => (past.length === 0 ? undefined : mean(past.map(({ gain }) => gain))));
  const columns = [
    skills.map(({ room }) => room),
    gains,
    skills.map(({ daysSinceTried }) => daysSinceTried ?? 60),
    skills.map(({ uses }) => (uses === undefined ? undefined : Math.log(1 + uses))),
  ];
  return columns.map((column) => {
    const usual = mean(column.filter((value) => value !== undefined));
    return standardised(column.map((value) => value ?? usual));
  });
}

/** How far all columns together correlate with a value: that of the best weighted sum of them. */
export function multipleCorrelation(columns: readonly (readonly number[])[], values: readonly number[]): number {
  const target = standardised(values);
  const towards = columns.map((column) => mean(column.map((value, at) => value * (target[at] ?? 0))));
  const rows = columns.map((a, row) => [
    ...columns.map((b) => mean(a.map((value, at) => value * (b[at] ?? 0)))),
    towards[row] ?? 0,
  ]);
  const weights = solved(rows);
  return Math.sqrt(weights.reduce((sum, weight, at) => sum + weight * (towards[at] ?? 0), 0));
}

/** Gauss and Jordan; the last column is what the others come to. */
function solved(given: readonly (readonly number[])[]): readonly number[] {
  let rows = given.map((row) => [...row]);
  for (let at = 0; at < rows.length; at++) {
    const pivot = rows[at]?.map((value) => value / (rows[at]?.[at] ?? 1)) ?? [];
    rows = rows.map((row, index) =>
      index === at ? pivot : row.map((value, column) => value - (row[at] ?? 0) * (pivot[column] ?? 0)),
    );
  }
  return rows.map((row) => row.at(-1) ?? 0);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function standardised(values: readonly number[]): readonly number[] {
  const middle = mean(values);
  const deviation = Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
  return values.map((value) => (deviation === 0 ? 0 : (value - middle) / deviation));
}

function apartFrom(index: readonly number[], noise: readonly number[]): readonly number[] {
  const shared = mean(noise.map((value, at) => value * (index[at] ?? 0)));
  return standardised(noise.map((value, at) => value - shared * (index[at] ?? 0)));
}

function normal(draw: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}
