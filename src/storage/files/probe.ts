/**
 * Told which point of a write is reached, just before it. Tests end the process there, to prove that every point is
 * safe to die at. Synchronous, so that nothing else runs in between.
 */
export type Probe = (point: string) => void;

/** Outside of tests nobody watches. */
export const noProbe: Probe = () => undefined;

/** The same probe, with the points of one file told apart from those of others: `receipt:rename`. */
export function probeOf(probe: Probe, part: string): Probe {
  return (point) => probe(`${part}:${point}`);
}
