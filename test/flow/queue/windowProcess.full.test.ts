import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chooseModels } from '../../../src/app/models/chooseModels.js';
import { windowQueue } from '../../../src/queue/bridge/windowQueue.js';
import { startSimulatedServer } from '../../../src/simulated/server/serveSimulated.js';
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { aRequest } from '../../fakes/ScriptedModel.js';
import { builtWithQueue } from '../children/builtProgram.js';
import { secret } from './aQueue.js';
import { startWorkerProcess } from './processes.js';

const { signal } = new AbortController();

describe('a window, the command line as a process, Redis and a worker', function () {
  this.timeout(240_000);
  let redis: TestRedis;
  before(async function () {
    needRedis(this);
    redis = await aRedis();
  });
  after(() => redis?.dispose());

  it('make a call and see each other', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'whetstone-window-'));
    const server = await startSimulatedServer({ port: 0 });
    const spec = `${server.url}#simulated-1`;
    const { cli } = await builtWithQueue();
    const program = path.join(folder, 'whetstone');
    writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${cli} "$@"\n`);
    chmodSync(program, 0o755);
    const worker = await startWorkerProcess(redis.url, spec, path.join(folder, 'w'), ['--name', 'harbour']);
    const queue = windowQueue({
      wishes: () => ({ address: redis.url, secretFile: '', commandLine: program }),
      isSet: () => true,
      environment: { PATH: process.env['PATH'], WHETSTONE_QUEUE_SECRET: secret },
      platform: process.platform,
      home: folder,
      workspace: () => [],
      version: '0.0.0',
    });
    try {
      const { target } = await chooseModels(
        { target: spec, optimizer: undefined, judge: undefined },
        { environment: {}, fetch },
      );
      assert.equal(await queue.attempts.reach?.(target.identity, 'target', signal), true);
      const call = (attempt: number) => ({
        runId: 'r',
        key: () => `k${attempt}`,
        model: target.identity,
        request: aRequest({ attempt }),
      });
      const replies = await Promise.all([1, 2, 3].map((attempt) => queue.attempts.run(call(attempt), notHere, signal)));
      assert.deepEqual(
        replies.map((reply) => reply.worker),
        ['harbour', 'harbour', 'harbour'],
      );
      const seen = await queue.look(signal);
      assert.equal(seen.workers[0]?.name, 'harbour');
    } finally {
      queue.close();
      await worker.stop();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function notHere(): Promise<never> {
  return Promise.reject(new Error('It was to be made by the worker.'));
}
