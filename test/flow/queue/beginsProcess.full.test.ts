import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, needRedis, ownRedis, type OwnRedis } from '../../builders/aRedis.js';
import { startCommand, working } from './processes.js';

describe('the command “whetstone worker” as a process', function () {
  this.timeout(240_000);
  let redis: OwnRedis;
  let taken: Server;
  let port = '';
  let folder = '';

  before(async function () {
    needRedis(this, 'own');
    redis = await ownRedis();
    folder = mkdtempSync(path.join(tmpdir(), 'whetstone-begins-'));
    port = String(await freePort());
    taken = createServer().listen(Number(port), '127.0.0.1');
    await once(taken, 'listening');
  });
  after(async () => {
    taken?.close();
    await redis?.dispose();
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  });

  const start = (...more: readonly string[]) => {
    const words = ['worker', '--queue', redis.url, '--model', 'simulated', ...more];
    return startCommand(words, folder, path.join(folder, 'home'));
  };

  it('ends with a failure that a service manager sees where the port of its figures is taken', async () => {
    const worker = await start('--metrics', port);
    assert.equal(await worker.ended(), 2);
    assert.match(worker.said.err, /^whetstone: The figures of --metrics cannot be served at 127\.0\.0\.1:\d+: .*\n$/);
    const wrong = await start('--metrics', 'harbour');
    assert.deepEqual([await wrong.ended(), /takes a port/.test(wrong.said.err)], [2, true], wrong.said.err);
  });

  it('ends at the first SIGTERM', async () => {
    const worker = await working(await start('--metrics', String(await freePort())));
    await worker.stop();
    assert.equal(worker.child.exitCode, 0, worker.said.err);
  });
});
