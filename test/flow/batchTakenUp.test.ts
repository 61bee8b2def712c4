import assert from 'node:assert/strict';
import { aBatchWorld, settingsOf } from './batchWorld.js';

describe('a batch that a night was cut off from', () => {
  it('is never paid for beside the same calls: a run that does not wait for it is refused, and one with minutes waits no longer', async () => {
    const stop = new AbortController();
    const batching = await aBatchWorld({
      fate: () => {
        setTimeout(() => stop.abort(new Error('cut off')), 200);
        return { looks: 'never' };
      },
    });
    const { server } = batching;
    try {
      await batching.night({ signal: stop.signal }).catch(() => undefined);
      assert.equal(server.batches.length, 1);
      const { ordinary } = server;

      const plain = await batching.night({ settings: settingsOf(false) });
      assert.match(
        plain.result.skills[0]?.reason ?? '',
        /A batch of \d+ calls that a night sent for this skill is under way, until 20.* UTC at the latest/,
      );

      const capped = await batching.night({ settings: settingsOf(true, { caps: { minutes: 0.005 } }) });
      assert.match(capped.result.skills[0]?.reason ?? '', /The minutes of the run are used up, and its batch has not/);
      assert.deepEqual([server.ordinary, server.batches.length], [ordinary, 1], 'nothing was asked again');
    } finally {
      await batching.stop();
    }
  });
});
