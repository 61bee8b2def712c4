import assert from 'node:assert/strict';
import type { Clock } from '../../../../src/ports/clock.js';

/** What every clock keeps to. `pass` lets at least so many milliseconds go by. */
export function clockContract(
  name: string,
  make: () => { readonly clock: Clock; readonly pass: (ms: number) => Promise<void> },
): void {
  describe(`${name}, as a clock`, () => {
    it('wakes a sleeper once its time has passed, and not before', async () => {
      const { clock, pass } = make();
      const woken: string[] = [];
      const start = clock.now();
      const long = clock.sleep(40, new AbortController().signal).then(() => woken.push('long'));
      const short = clock.sleep(5, new AbortController().signal).then(() => woken.push('short'));
      await pass(60);
      await Promise.all([long, short]);
      assert.deepEqual(woken, ['short', 'long']);
      assert.ok(clock.now() - start >= 39);
    });

    it('wakes a sleeper with the reason of the signal', async () => {
      const { clock } = make();
      const controller = new AbortController();
      const reason = new Error('enough');
      const sleeping = clock.sleep(60_000, controller.signal);
      controller.abort(reason);
      await assert.rejects(sleeping, reason);
      await assert.rejects(clock.sleep(1, controller.signal), reason);
    });
  });
}
