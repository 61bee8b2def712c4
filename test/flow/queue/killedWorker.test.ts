import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { startSimulatedServer, type SimulatedServer } from '../../../src/simulated/server/serveSimulated.js';
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import type { WorkerOrder } from '../children/workerChild.js';
import { childScript } from '../children/trainProcess.js';
import { lookAt } from '../../../src/queue/openQueue.js';
import { aCoordinator, namedQueue, secret } from './aQueue.js';
import { aFlow } from './flowOfCalls.js';

const lockMs = 1_000;
const cap = 12;

/** One of two workers is killed once; 40 kills and 20 cuts of the network are in chaos.full.test.ts. */
describe('a worker that is killed at work', () => {
  let redis: TestRedis;
  let server: SimulatedServer;
  const workers: ChildProcess[] = [];

  before(async function () {
    needRedis(this);
    redis = await aRedis();
    server = await startSimulatedServer({ port: 0, latencyMs: 400 });
  });
  after(async () => {
    for (const worker of workers) if (worker.exitCode === null && worker.signalCode === null) worker.kill('SIGKILL');
    await server?.stop();
    await redis?.dispose();
  });

  it('loses no call, and the cap holds over both with what was in flight', async () => {
    workers.push(...(await Promise.all([aWorkerProcess(), aWorkerProcess()])));
    const coordinator = await aCoordinator(redis.url, { lockMs });
    const flow = aFlow({ url: server.url, coordinator, atOnce: 4, cap: { calls: cap } });
    try {
      const asking = flow.run();
      // Each takes two at a time: with three under way both have one.
      while (underWay(server) < 3) await wait(5);
      workers[0]?.kill('SIGKILL');
      const { asked, answers, refused } = await asking;
      const { requests } = server.counts();
      const calls = await flow.booked();
      const lost = flow.entries.filter(({ outcome }) => outcome.kind === 'failed').length;
      assert.ok(lost >= 1, 'the worker that was killed had a job');
      assert.equal(answers + refused, asked, 'every call is answered, or refused by the cap');
      assert.equal(calls, answers + lost, 'every try is booked once');
      assert.ok(calls <= cap && requests <= cap, `${requests} requests, ${calls} calls of ${cap}`);
      const { pid } = workers[0] ?? {};
      const killed = `${hostname()}:${pid}`;
      const booked = flow.entries.flatMap(({ outcome }) => (outcome.kind === 'failed' ? [outcome.why ?? ''] : []));
      for (const reason of booked) assert.ok(reason.includes(`worker ${killed}: it was not heard of`), reason);
      // The coordinator may have found it out before the queue did.
      let { failures } = await lookAt(namedQueue(redis.url));
      for (let tries = 0; failures.length === 0 && tries < 100; tries += 1) {
        await wait(100);
        ({ failures } = await lookAt(namedQueue(redis.url)));
      }
      assert.ok(failures.length >= 1);
      for (const { worker, why } of failures)
        assert.deepEqual(
          [worker, why],
          [
            killed,
            'It was not heard of any more while it worked on the job; the call was booked at its worst case and is asked again.',
          ],
        );
      assert.ok(requests >= answers && requests <= calls, `${requests} requests, ${answers} answers, ${calls} calls`);
    } finally {
      await coordinator.close();
    }
  });

  async function aWorkerProcess(): Promise<ChildProcess> {
    const order: WorkerOrder = { queue: redis.url, secret, baseUrl: server.url, lockMs };
    const words = [await childScript('workerChild'), JSON.stringify(order)];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(() => assert.fail('the worker did not begin')),
    ]);
    return child;
  }
});

function underWay(server: SimulatedServer): number {
  const { requests, answered } = server.counts();
  return requests - answered;
}
