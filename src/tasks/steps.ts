/**
 * Work that is done in pieces: it stops after each, so that whoever drives it can let others have their turn. The result
 * does not depend on who drives it.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** All pieces at once: for those who are nobody's neighbours. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const few = 32; // items a piece: a millisecond or two of reading or comparing tasks

/** What `work` makes of each item, a few at a time. */
export function* mapInSteps<Item, Made>(
  items: readonly Item[],
  work: (item: Item, index: number) => Made,
): Steps<Made[]> {
  const made: Made[] = [];
  for (const [index, item] of items.entries()) {
    if (index % few === few - 1) yield;
    made.push(work(item, index));
  }
  return made;
}
