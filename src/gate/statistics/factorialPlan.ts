/** Which factors (edits, or groups of edits) a variant of the skill carries, by index. */
export type Subset = readonly number[];

/** More factors need a design that was never measured; more edits are grouped to this many. */
export const maxFactors = 4;

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

function membersOf(mask: number, factors: number): Subset {
  return Array.from({ length: factors }, (_, factor) => factor).filter((factor) => (mask & (2 ** factor)) !== 0);
}
