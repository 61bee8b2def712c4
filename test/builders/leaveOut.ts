/** Under this key the reporter finds the list; see `scripts/countingReporter.cjs`. */
const leftOutKey = Symbol.for('whetstone: tests left out');

/**
 * Leaves out the test, or from a `before` all tests of its suite, because this system cannot run it, and says why: there
 * and once more after all tests. What only has to be set up is asked for with {@link mustBeSetUp}.
 */
export function leaveOut(context: Mocha.Context, why: string): void {
  const line = `${nameOf(context)}: ${why}`;
  whyLeftOut().push(line);
  process.stdout.write(`      Left out: ${why}\n`);
  context.skip();
}

/** The same for what somebody who runs the tests can mend, `why` says how; under CI it fails. */
export function mustBeSetUp(context: Mocha.Context, why: string): void {
  if (process.env['CI'] === 'true') throw new Error(why);
  leaveOut(context, why);
}

/** On a system where it means something; `why` says what the others lack. */
export function onlyOn(context: Mocha.Context, systems: 'linux' | 'posix', why: string): void {
  const isHere = systems === 'linux' ? process.platform === 'linux' : process.platform !== 'win32';
  if (!isHere) leaveOut(context, why);
}

/** A line for each test or suite that this process left out. */
export function whyLeftOut(): string[] {
  const lists: typeof globalThis & { [leftOutKey]?: string[] } = globalThis;
  return (lists[leftOutKey] ??= []);
}

/** The test itself, or the suite whose hook it is. */
function nameOf({ test }: Mocha.Context): string {
  const isHook = test !== undefined && 'type' in test && test.type === 'hook';
  return (isHook ? test.parent?.fullTitle() : test?.fullTitle()) ?? 'a test';
}
