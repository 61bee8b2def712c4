export type Pair = readonly [number, number];

/** A pair on its pile, and the place in the pile to the left of the pair before it. */
interface Card {
  readonly pair: Pair;
  readonly left: number;
}

/** Of pairs whose first numbers rise, as many as possible whose second numbers rise too (patience sorting). */
export function longestRising(pairs: readonly Pair[]): readonly Pair[] {
  const piles: Card[][] = [];
  for (const pair of pairs) {
    const at = pileFor(piles, pair[1]);
    const card = { pair, left: (piles[at - 1]?.length ?? 0) - 1 };
    const pile = piles[at];
    if (pile === undefined) piles.push([card]);
    else pile.push(card);
  }
  const chosen: Pair[] = [];
  let at = (piles.at(-1)?.length ?? 0) - 1;
  for (const pile of piles.toReversed()) {
    const card = pile[at];
    if (card === undefined) break;
    chosen.push(card.pair);
    at = card.left;
  }
  return chosen.toReversed();
}

/** The first pile whose top is not below the number; tops rise from left to right. */
function pileFor(piles: readonly (readonly Card[])[], number: number): number {
  let [low, high] = [0, piles.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const top = piles[middle]?.at(-1)?.pair[1] ?? number;
    if (top < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
