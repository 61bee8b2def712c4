import assert from 'node:assert/strict';

const growth = 8;
const most = 2.5 * growth; // a machine at work on other things; a square would be 64

/**
 * Holds that work on eight times as much takes about eight times as long: of each size the best of several runs counts,
 * and what takes almost no time proves nothing and passes.
 */
export function assertLinear(work: (size: number) => void, size: number): void {
  work(size); // compiled by now
  const floor = 2; // milliseconds: below it the clock measures itself
  const small = Math.min(...Array.from({ length: runs }, () => timeOf(() => work(size))));
  const large: number[] = [];
  // The best of them counts, so the first that is good enough is the answer.
  while (large.length < runs && !large.some((each) => each < most * Math.max(small, floor))) {
    large.push(timeOf(() => work(size * growth)));
  }
  const best = Math.min(...large);
  assert.ok(best < most * Math.max(small, floor), `${small} ms for ${size}, ${best} ms for ${size * growth}`);
}

const runs = 3;

/** Milliseconds that the processor worked, which is what a row of tests beside it does not change. */
export function timeOf(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}
