import type { StepLine } from './stepLines.js';

/** The steps of two attempts, row by row: what both did stands in one row, and a row may be empty on one side. */
export interface AlignedSteps {
  readonly first: readonly (StepLine | undefined)[];
  readonly second: readonly (StepLine | undefined)[];
}

const mostCompared = 400; // steps of a side; beyond it nobody looks at rows beside each other

/** Lays two stories beside each other by the longest row of steps that they share. */
export function alignSteps(first: readonly StepLine[], second: readonly StepLine[]): AlignedSteps {
  if (first.length > mostCompared || second.length > mostCompared) return { first, second };
  const rows: [StepLine | undefined, StepLine | undefined][] = [];
  let [one, other] = [0, 0];
  for (const [nextOne, nextOther] of [...sharedSteps(first, second), [first.length, second.length] as const]) {
    const between = Math.max(nextOne - one, nextOther - other);
    for (let at = 0; at < between; at += 1)
      rows.push([
        one + at < nextOne ? first[one + at] : undefined,
        other + at < nextOther ? second[other + at] : undefined,
      ]);
    if (nextOne < first.length) rows.push([first[nextOne], second[nextOther]]);
    [one, other] = [nextOne + 1, nextOther + 1];
  }
  return { first: rows.map(([step]) => step), second: rows.map(([, step]) => step) };
}

/** The places of the steps that both have, in their order: as many as there can be. */
function sharedSteps(
  first: readonly StepLine[],
  second: readonly StepLine[],
): readonly (readonly [one: number, other: number])[] {
  const width = second.length + 1;
  const longest = new Uint16Array((first.length + 1) * width);
  const at = (one: number, other: number): number => longest[one * width + other] ?? 0;
  for (let one = first.length - 1; one >= 0; one -= 1)
    for (let other = second.length - 1; other >= 0; other -= 1)
      longest[one * width + other] = isSame(first[one], second[other])
        ? at(one + 1, other + 1) + 1
        : Math.max(at(one + 1, other), at(one, other + 1));
  const shared: (readonly [number, number])[] = [];
  let [one, other] = [0, 0];
  while (one < first.length && other < second.length) {
    if (isSame(first[one], second[other])) {
      shared.push([one, other]);
      [one, other] = [one + 1, other + 1];
    } else if (at(one + 1, other) >= at(one, other + 1)) one += 1;
    else other += 1;
  }
  return shared;
}

function isSame(one: StepLine | undefined, other: StepLine | undefined): boolean {
  return one?.label === other?.label && one?.text === other?.text;
}
