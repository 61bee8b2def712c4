import assert from 'node:assert/strict';

const growth = 8;
const most = 2.5 * growth; // a machine at work on other things; a square would be 64

/**
 * Holds that work on eight times as much takes about eight times as long: of each size the best of several runs counts,
 * and what takes almost no time proves nothing and passes.
 */
export function assertLinear(work: (size: number) => void, size: number): void {
  work(size); // compiled by now
  const [small, large] = [best(() => work(size)), best(() => work(size * growth))];
  const floor = 2; // milliseconds: below it the clock measures itself
  assert.ok(large < most * Math.max(small, floor), `${small} ms for ${size}, ${large} ms for ${size * growth}`);
}

function best(work: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const begun = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}
