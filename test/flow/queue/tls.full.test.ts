import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { QueueState } from '../../../src/ports/queueState.js';
import { needRedis } from '../../builders/aRedis.js';
import { aWorkspace, writtenTasks } from '../../builders/aWorkspace.js';
import { prepareQueue, startPrepared, type PreparedQueue } from './preparedQueue.js';
import { proposalIn, startCommand, working, type Running } from './processes.js';

/** What deploy/prepare.sh makes, with a real Redis and real workers; in containers by scripts/compose.mjs. */
describe('a queue over TLS as deploy/ prepares it', function () {
  this.timeout(600_000);
  let folder = '';
  let queue: PreparedQueue;

  before(async function () {
    needRedis(this, 'own');
    folder = mkdtempSync(path.join(tmpdir(), 'whetstone-tls-'));
    prepareQueue(folder);
    queue = await startPrepared(folder);
  });
  after(async () => {
    await queue?.kill();
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  });

  const start = (words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Running> =>
    startCommand(words, folder, path.join(folder, 'home'), { ...queue.environment, ...more });

  it('takes the right password over a certificate that is known, and never prints it', async () => {
    const looked = await start(['queue']);
    assert.equal(await looked.ended(), 0, looked.said.err);
    assert.match(looked.said.out, /^No worker is there\. Start one /);
    const wrong = await start(['queue'], { WHETSTONE_QUEUE: `rediss://:not-the-one@localhost:${queue.port}` });
    assert.equal(await wrong.ended(), 2);
    assert.match(wrong.said.err, /WRONGPASS/);
    const unknown = await start(['queue'], { NODE_EXTRA_CA_CERTS: '' });
    assert.equal(await unknown.ended(), 2);
    assert.match(unknown.said.err, /certificate/);
    for (const { said } of [looked, wrong, unknown])
      for (const password of [queue.password, 'not-the-one'])
        assert.ok(!`${said.out}${said.err}`.includes(password), 'the password is printed');
  });

  it('carries a run by two workers', async () => {
    const tasks = writtenTasks({ training: 2, heldOut: 6, sealed: 0 }, ['Visibility:', 'fathoms']);
    const workspace = aWorkspace({ tasks });
    const worker = ['worker', '--model', 'simulated?latency=200', '--lock', '2'];
    const workers = await Promise.all([working(await start(worker)), working(await start(worker))]);
    try {
      const words = ['optimize', workspace.skillPath, '--preset', 'quick', '--model', 'simulated?latency=200'];
      const run = await startCommand(
        [...words, '--yes', '--json'],
        workspace.folder,
        workspace.home,
        queue.environment,
      );
      assert.equal(await run.ended(), 0, run.said.err);
      assert.notEqual(proposalIn(workspace.folder), '');
      const looked = await start(['queue', '--json']);
      assert.equal(await looked.ended(), 0, looked.said.err);
      const seen: QueueState = JSON.parse(looked.said.out);
      const answered = seen.workers.map(({ lanes }) => lanes.reduce((sum, lane) => sum + lane.answered, 0));
      process.stdout.write(`      jobs that each worker answered over TLS: ${answered.join(', ')}\n`);
      assert.ok(answered.length === 2 && answered.every((jobs) => jobs > 0), answered.join());
    } finally {
      await Promise.all(workers.map((each) => each.kill()));
      workspace.dispose();
    }
  });
});
