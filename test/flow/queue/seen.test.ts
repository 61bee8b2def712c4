import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { Command } from 'commander';
import { addQueue, addWorker } from '../../../src/cli/commands/queue.js';
import { openTerminal } from '../../../src/cli/terminal.js';
import { withRunner } from '../../../src/models/wrappers/withRunner.js';
import { FailedCall } from '../../../src/models/wrappers/failedCall.js';
import type { QueueState } from '../../../src/ports/queueState.js';
import { lookAt, openCoordinator } from '../../../src/queue/openQueue.js';
import { createSimulatedModel } from '../../../src/simulated/simulatedModel.js';
import { aRedis, freePort, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { aWorkTree } from '../../builders/aWorkTree.js';
import { aRequest, ScriptedModel } from '../../fakes/ScriptedModel.js';
import { aCoordinator, aGate, aWorker, namedQueue, queued, shortSettings } from './aQueue.js';

const { signal } = new AbortController();

describe('what is seen of a queue', () => {
  let redis: TestRedis;

  before(async function () {
    needRedis(this);
    redis = await aRedis();
  });
  after(() => redis?.dispose());

  it('is told to Prometheus by each worker, and to people with the worker and the reason of what failed', async () => {
    const model = new ScriptedModel()
      .when('fail', () => new FailedCall('malformed', 'Of no use.', { charged: true }))
      .when('', 'Moored.');
    const port = await freePort();
    const worker = await aWorker(redis.url, model, { name: 'harbour', metrics: String(port) });
    const coordinator = await aCoordinator(redis.url);
    try {
      const target = queued(model, coordinator, 'run-1');
      await target.complete(aRequest(), signal);
      await assert.rejects(target.complete(aRequest({ messages: [{ role: 'user', content: 'fail' }] }), signal));
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const labels = 'role="target",environment="chat",model="scripted/scripted-1"';
      assert.ok(text.includes(`whetstone_worker_jobs_total{${labels},outcome="answered"} 1\n`), text);
      assert.ok(text.includes(`whetstone_worker_jobs_total{${labels},outcome="failed"} 1\n`), text);
      const shown = await seenFailure(redis.url);
      const printed = await printedQueue(shown);
      assert.match(printed, /^worker +since/m);
      assert.match(printed, /^harbour /m);
      assert.match(printed, /^target +chat +scripted\/scripted-1 +1 /m);
      assert.match(printed, /harbour, scripted\/scripted-1: Of no use\./);
    } finally {
      await coordinator.close();
      await worker.stop();
    }
  });

  it('tells workers of another secret, and those that ask a model of the same name at another address', async () => {
    const told: string[] = [];
    const worker = await aWorker(redis.url, at(7411), { tell: (line) => told.push(line), environments: 'chat' });
    const other = { ...namedQueue(redis.url), environment: { WHETSTONE_QUEUE_SECRET: 'f'.repeat(32) } };
    const [coordinator, stranger] = await Promise.all([
      aCoordinator(redis.url, { patienceMs: 300 }),
      openCoordinator(other, { ...shortSettings, patienceMs: 300 }),
    ]);
    try {
      const state = await lookAt(other);
      assert.deepEqual([state.workers, state.otherSecret], [[], 1]);
      assert.match(
        await printedQueue(state),
        /^No worker is there\.\s+One worker is there that was given another secret/,
      );
      assert.match(await printedQueue({ ...state, otherSecret: 0 }), /: whetstone worker --model /);
      assert.match(await printedQueue(await lookAt(namedQueue(redis.url))), /custom\/coder at localhost:7411 +1 /);
      await assert.rejects(stranger.reach(at(7411).identity, 'target', signal), /; 1 that were given another secret/);
      await assert.rejects(coordinator.reach(at(7500).identity, 'target', signal), {
        message: /serves custom\/coder at localhost:7500 as target: the one that is there asks it at localhost:7411/,
        cure: /--model http:\/\/localhost:7500\/v1#coder/,
      });
    } finally {
      await Promise.all([coordinator.close(), stranger.close()]);
      await worker.stop();
    }
    assert.deepEqual(told, ['Nothing is under way: the worker ends.']);
  });

  it('is told to whoever ends a worker at work: that it waits for what is under way, and how it ends at once', async () => {
    const [begun, released] = [aGate(), aGate()];
    const model = new ScriptedModel({ model: 'slow' }).when('', async () => {
      begun.open();
      await released.opened;
      return 'Moored.';
    });
    const told = new EventEmitter();
    const first = once(told, 'line');
    const tell = (line: string): void => void told.emit('line', line);
    const worker = await aWorker(redis.url, model, { lockMs: 30_000, tell });
    const coordinator = await aCoordinator(redis.url, { lockMs: 30_000 });
    try {
      const asking = queued(model, coordinator, 'run-3').complete(aRequest(), signal);
      await begun.opened;
      const ending = worker.stop();
      assert.match(String(await first), /^One job is under way: it takes no more, .* Ctrl\+C again ends it at once/);
      released.open();
      assert.equal((await asking).text, 'Moored.');
      await ending;
    } finally {
      released.open();
      await coordinator.close();
    }
  });

  it('holds no text that can be read, and what agents start from once', async () => {
    const model = createSimulatedModel();
    const worker = await aWorker(redis.url, model, { environments: 'agent', roles: 'target' });
    const coordinator = await aCoordinator(redis.url);
    try {
      const fixture = aWorkTree({ 'prices.csv': 'a harbour nobody else knows\n' });
      const limits = { maxTokens: 10_000, maxTurns: 5, timeLimitMs: 10_000 };
      const work = { fixture, skill: undefined, mode: 'offered', limits, judges: [] } as const;
      const request = aRequest({ work, attempt: 1, maxOutputTokens: 1_000 });
      const target = withRunner(model, { runner: coordinator, runId: 'run-2' });
      const [here, there] = [await model.complete(request, signal), await target.complete(request, signal)];
      assert.deepEqual(there, { ...here, worker: worker.card.name }, 'an agent leaves the same behind');
      await target.complete({ ...request, attempt: 2 }, signal);
      const { Redis } = await import('ioredis');
      const raw = new Redis(redis.url);
      const keys = await raw.keys('whetstone:blob:*');
      const values = await Promise.all((await raw.keys('whetstone:result:*')).map((key) => raw.get(key)));
      const blobs = await Promise.all(keys.map((key) => raw.get(key)));
      raw.disconnect();
      assert.equal(keys.length, 1);
      for (const value of [...values, ...blobs])
        for (const part of String(value).split('.'))
          assert.ok(!Buffer.from(part, 'base64url').toString().includes('harbour nobody'));
    } finally {
      await coordinator.close();
      await worker.stop();
    }
  });
});

function at(port: number): ScriptedModel {
  return new ScriptedModel({ provider: 'custom', model: 'coder', endpoint: `http://localhost:${port}/v1` }).when(
    '',
    'Moored.',
  );
}

/** Waits for the worker's next word on itself. */
async function seenFailure(url: string): Promise<QueueState> {
  for (;;) {
    const state = await lookAt(namedQueue(url));
    if (state.failures.length > 0) return state;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function nothing(): Promise<void> {
  return Promise.resolve();
}

async function printedQueue(state: QueueState): Promise<string> {
  let [out, err] = ['', ''];
  const terminal = openTerminal({
    color: false,
    live: false,
    columns: 100,
    out: (text: string): void => void (out += text),
    err: (text: string): void => void (err += text),
    readLine: undefined,
    readKey: undefined,
  });
  const face = { terminal, cwd: '.', signal, open: () => assert.fail(), exit: () => undefined, demoFolder: '' };
  const program = new Command().exitOverride();
  const parts = { look: () => Promise.resolve(state), work: nothing, carry: nothing };
  addQueue(program, face, parts);
  addWorker(program, face, parts);
  await program.parseAsync(['queue'], { from: 'user' });
  assert.equal(err, '');
  await program.parseAsync(['worker', '--queue', 'redis://:sesame@localhost'], { from: 'user' });
  assert.match(err, /^Others on this machine can see the password in the words of this command: WHETSTONE_QUEUE/);
  await assert.rejects(program.parseAsync(['worker', '--concurrency', '0'], { from: 'user' }), { code: 'usage' });
  return out;
}
