import { epsilon } from './walk.js';

/**
 * Which variants of a skill are tried on which training tasks, before the first of them is. Without a bound every block
 * goes over every task. With one, as many tasks as it pays for are tried, the most telling first, in two blocks of
 * different tasks: that way both halves of the variants of four edits are seen, and each edit by as many tasks as can be.
 */

/** Which factors (edits, or groups of edits) a variant of the skill carries, by index. */
export type Subset = readonly number[];

/** More factors need a design that was never measured; more edits are grouped to this many. */
const maxFactors = 4;

/**
 * The variants of block `block` (1, 2, ...), each to be attempted once on every task. Up to three factors: all subsets.
 * Four: the eight subsets of even size in odd blocks, of odd size in even blocks. Every factor is in exactly half.
 */
export function planBlock(factors: number, block: number): readonly Subset[] {
  if (!Number.isInteger(factors) || factors < 1 || factors > maxFactors) {
    throw new RangeError(`A block is planned for 1 to ${maxFactors} factors, not ${factors}.`);
  }
  const subsets = Array.from({ length: 2 ** factors }, (_, mask) => membersOf(mask, factors));
  if (factors < maxFactors) return subsets;
  const parity = block % 2 === 1 ? 0 : 1;
  return subsets.filter((subset) => subset.length % 2 === parity);
}

/** At most {@link maxFactors} groups of neighbouring edits, as even as they go. Up to that many: one edit a group. */
export function groupEdits<Edit>(edits: readonly Edit[]): readonly (readonly Edit[])[] {
  const groups = Math.min(maxFactors, edits.length);
  return Array.from({ length: groups }, (_, group) =>
    edits.slice(Math.floor((group * edits.length) / groups), Math.floor(((group + 1) * edits.length) / groups)),
  );
}

/** What may be tried: one entry a task, the most telling first. */
interface AttributionSize {
  readonly factors: number;
  /** How many calls one attempt at each task takes. */
  readonly costs: readonly number[];
  /** The most calls altogether, the comparison with the bundle included; undefined: no bound. */
  readonly mostCalls: number | undefined;
}

/** The tasks of each block, as indexes into the costs. */
export interface BlockPlan {
  readonly blocks: readonly (readonly number[])[];
  /** True where the bound left something out that would have been tried. */
  readonly bounded: boolean;
}

/** Three half fractions choose the right three of four edits in 99 of 100 simulated runs; a fourth adds cost only. */
const maxBlocks = 3;

/** The blocks that the bound pays for; none where it does not pay for a single task. */
export function planBlocks({ factors, costs, mostCalls = Number.POSITIVE_INFINITY }: AttributionSize): BlockPlan {
  const order = costs.map((_, task) => task);
  const wanted = Array.from({ length: maxBlocks }, () => order).flat();
  // Each task once under every variant of its block, and at most once more for the comparison with the bundle.
  const attempts = planBlock(factors, 1).length + 1;
  let calls = 0;
  const paid = wanted.findIndex((task) => (calls += attempts * (costs[task] ?? 1)) > mostCalls);
  if (paid < 0) return { blocks: Array.from({ length: maxBlocks }, () => order), bounded: false };
  const size = Math.min(order.length, Math.ceil(paid / 2));
  const blocks = Array.from({ length: size === 0 ? 0 : Math.ceil(paid / size) }, (_, block) =>
    wanted.slice(block * size, Math.min(paid, (block + 1) * size)),
  );
  return { blocks, bounded: true };
}

/** What a run knows of its tasks before attribution, by index. */
interface KnownTasks {
  /** The scores of the run's own attempts at each task. */
  readonly seen: readonly (readonly number[])[];
  /** The tasks that taught each factor; a task may have taught several. */
  readonly taught: readonly (readonly number[])[];
}

/**
 * The order in which tasks tell most: those that taught the edits, each edit in its turn, so that none goes untried; then
 * those that came out differently in the run; then those that only failed. Every third one only passed so far, as long as
 * there are any: an edit that does harm shows there.
 */
export function tellingOrder({ seen, taught }: KnownTasks): readonly number[] {
  const passed = seen.flatMap((scores, task) => (hasPassed(scores) ? [task] : []));
  const rest = seen
    .map((scores, task) => ({ task, spread: spreadOf(scores) }))
    .sort((a, b) => b.spread - a.spread)
    .map(({ task }) => task);
  const movable = [...new Set([...inTurn(taught), ...rest])].filter((task) => !passed.includes(task));
  const order: number[] = [];
  for (let at = 0; at < movable.length; at += 2)
    order.push(...movable.slice(at, at + 2), ...passed.slice(at / 2, at / 2 + 1));
  return [...new Set([...order, ...passed])];
}

function inTurn(lists: readonly (readonly number[])[]): readonly number[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

function hasPassed(scores: readonly number[]): boolean {
  return scores.length > 0 && Math.min(...scores) >= 1 - epsilon;
}

function spreadOf(scores: readonly number[]): number {
  return scores.length === 0 ? 0 : Math.max(...scores) - Math.min(...scores);
}

function membersOf(mask: number, factors: number): Subset {
  return Array.from({ length: factors }, (_, factor) => factor).filter((factor) => (mask & (2 ** factor)) !== 0);
}
