/** Whether the full numbers are asked for: `npm run test:full`. */
export const isFull = process.env['WHETSTONE_FULL'] === '1';

/** The first of several cases of one proof, or with the full numbers all of them. */
export function few<T>(cases: readonly T[], count = 1): readonly T[] {
  return isFull ? cases : cases.slice(0, count);
}

/** A test of the full numbers: what it shows has a case in the short ones too, beside it or on another floor. */
export function inFull(title: string, test: (this: Mocha.Context) => unknown): void {
  if (isFull) it(title, test);
}
