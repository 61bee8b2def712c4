/** 97.5 % points for one to ten degrees of freedom, where the expansion below is not good enough. */
const fewDegrees = [12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.306, 2.26216, 2.22814];

/** 97.5 % point of the normal distribution. */
const normalPoint = 1.959964;

/** Half-width, in standard errors, of a two-sided 95 % interval. Right to three digits for every degree of freedom. */
export function studentPoint(degreesOfFreedom: number): number {
  const z = normalPoint;
  const df = Math.max(1, Math.floor(degreesOfFreedom));
  return (
    fewDegrees[df - 1] ??
    z +
      (z ** 3 + z) / (4 * df) +
      (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * df ** 2) +
      (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * df ** 3)
  );
}
