import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createLearnedCapabilities } from '../../../src/models/openai/capabilities.js';
import { createOpenAIModel } from '../../../src/models/openai/openaiModel.js';
import { composeModel } from '../../../src/models/wrappers/composeModel.js';
import { createRateLimiter } from '../../../src/models/wrappers/rateLimiter.js';
import type { CallEntry } from '../../../src/models/wrappers/withJournal.js';
import { withRunner } from '../../../src/models/wrappers/withRunner.js';
import type { Coordinator } from '../../../src/queue/coordinator.js';
import { createRedactor } from '../../../src/redaction/redactor.js';
import { startSimulatedServer, type SimulatedServer } from '../../../src/simulated/server/serveSimulated.js';
import { nodeClock } from '../../../src/storage/files/nodeAdapters.js';
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { aWorkspace, writtenTasks } from '../../builders/aWorkspace.js';
import { MemoryLedger } from '../../fakes/MemoryLedger.js';
import { MemoryReplyStore } from '../../fakes/MemoryReplyStore.js';
import { aRequest } from '../../fakes/ScriptedModel.js';
import { aCoordinator } from './aQueue.js';
import { aCutProxy } from './cutProxy.js';
import { startCommand, startWorkerProcess, type Running } from './processes.js';

const workerKills = 20;
const redisKills = 7;
const coordinatorKills = 13;
const cuts = 20;

/** Workers that are started again when they are killed, each as the next one of its place. */
class Crew {
  readonly #start: () => Promise<Running>;
  readonly #places: Promise<Running>[];
  kills = 0;

  constructor(count: number, start: () => Promise<Running>) {
    this.#start = start;
    this.#places = Array.from({ length: count }, start);
  }

  async ready(): Promise<void> {
    await Promise.all(this.#places);
  }

  async kill(place: number): Promise<void> {
    const worker = await this.#places[place % this.#places.length];
    await worker?.kill();
    this.kills += 1;
    this.#places[place % this.#places.length] = this.#start();
  }

  async dispose(): Promise<void> {
    for (const worker of await Promise.allSettled(this.#places))
      if (worker.status === 'fulfilled') await worker.value.kill();
  }
}

describe('a queue whose parts are killed and cut off', function () {
  this.timeout(900_000);
  let redis: TestRedis;
  let server: SimulatedServer;
  let folder = '';

  before(async function () {
    needRedis(this);
  });
  beforeEach(async () => {
    redis = await aRedis();
    folder = mkdtempSync(path.join(tmpdir(), 'whetstone-chaos-'));
  });
  afterEach(async () => {
    await server?.stop();
    await redis?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const modelAt = (): string => `${server.url}#simulated-1`;
  const crew = (count: number, url: string): Crew =>
    new Crew(count, () => startWorkerProcess(url, modelAt(), path.join(folder, 'home')));

  it(`loses nothing in ${workerKills} kills of workers, ${redisKills} of Redis and ${cuts} cuts of the network`, async () => {
    server = await startSimulatedServer({ port: 0, latencyMs: 100 });
    const proxy = await aCutProxy(redis.port);
    const workers = crew(3, proxy.url);
    const coordinator = await aCoordinator(proxy.url, { patienceMs: 60_000 });
    const flow = aFlow(server.url, coordinator);
    try {
      await workers.ready();
      const asking = flow.run();
      for (let event = 0; event < Math.max(workerKills, cuts); event += 1) {
        await wait(700);
        if (event < workerKills) await workers.kill(event);
        await wait(300);
        proxy.cut();
        await wait(100 + (event % 4) * 200);
        proxy.mend();
        if (event % 3 === 2 && event / 3 < redisKills) {
          await redis.kill();
          await wait(200);
          await redis.start();
        }
      }
      flow.stop();
      const { asked, answers } = await asking;
      const { requests } = server.counts();
      const { calls } = await flow.ledger.spentInRun('chaos');
      const lost = flow.entries.filter(({ outcome }) => outcome.kind === 'failed').length;
      process.stdout.write(
        `      ${asked} calls asked, ${answers} answered; the server counted ${requests}, ${calls} are booked, ${lost} tries were lost in flight\n`,
      );
      assert.equal(answers, asked, 'nothing is lost');
      assert.ok(requests >= asked, 'the server was asked for each');
      assert.ok(requests <= asked + lost, 'nothing was paid twice beyond what was in flight');
      assert.ok(calls >= requests, 'all that the server counted is booked');
      assert.equal(calls, asked + lost, 'every try is booked once');
    } finally {
      await coordinator.close();
      await workers.dispose();
      await proxy.dispose();
    }
  });

  it(`goes on to a verdict after ${coordinatorKills} kills of the coordinator`, async () => {
    server = await startSimulatedServer({ port: 0, latencyMs: 60 });
    const tasks = writtenTasks({ training: 2, heldOut: 6, sealed: 0 }, ['Visibility:', 'fathoms']);
    const [whole, broken] = [aWorkspace({ tasks }), aWorkspace({ tasks })];
    const workers = crew(2, redis.url);
    const words = (skill: string): readonly string[] => [
      'optimize',
      skill,
      '--preset',
      'quick',
      '--model',
      modelAt(),
      '--price',
      'simulated-1=0/0',
      '--yes',
      '--json',
      '--queue',
      redis.url,
    ];
    try {
      await workers.ready();
      const unbroken = await startCommand(words(whole.skillPath), whole.folder, whole.home);
      assert.equal(await unbroken.ended(), 0, unbroken.said.err);
      const usual = server.counts().requests;
      let resume: readonly string[] = [];
      let kills = 0;
      for (;;) {
        const run = await startCommand([...words(broken.skillPath), ...resume], broken.folder, broken.home);
        const before = server.counts().requests;
        const over = run.ended();
        if (kills < coordinatorKills) {
          while (server.counts().requests < before + 1 && run.child.exitCode === null) await wait(10);
          if (run.child.exitCode === null) {
            await run.kill();
            kills += 1;
            resume = ['--resume'];
            continue;
          }
        }
        assert.equal(await over, 0, run.said.err);
        break;
      }
      assert.equal(kills, coordinatorKills);
      const asked = server.counts().requests - usual;
      process.stdout.write(`      unbroken ${usual} requests; with ${kills} kills of the coordinator ${asked}\n`);
      assert.ok(asked <= usual + kills * 16, 'nothing was asked again beyond what was in flight');
    } finally {
      await workers.dispose();
      whole.dispose();
      broken.dispose();
    }
  });

  it('holds a cap of 50 calls over 4 workers with 20 kills', async () => {
    server = await startSimulatedServer({ port: 0, latencyMs: 1_500 });
    const tasks = writtenTasks({ training: 6, heldOut: 12, sealed: 0 }, ['Visibility:', 'fathoms']);
    const workspace = aWorkspace({ tasks });
    const workers = crew(4, redis.url);
    try {
      await workers.ready();
      const words = [
        'optimize',
        workspace.skillPath,
        '--preset',
        'quick',
        '--model',
        modelAt(),
        '--price',
        'simulated-1=0/0',
      ];
      const more = ['--max-calls', '50', '--yes', '--json', '--queue', redis.url];
      const run = await startCommand([...words, ...more], workspace.folder, workspace.home);
      const over = run.ended();
      for (let kill = 0; kill < 20; kill += 1) {
        await wait(400);
        await workers.kill(kill);
      }
      const code = await Promise.race([over, wait(240_000).then(() => 'late')]);
      const { requests } = server.counts();
      process.stdout.write(
        `      ${workers.kills} kills: the server counted ${requests} of 50 calls (exit ${String(code)})\n`,
      );
      assert.notEqual(code, 'late');
      assert.ok(requests <= 50);
    } finally {
      await workers.dispose();
      workspace.dispose();
    }
  });
});

/** Calls without an end, each another one, through all that stands around a model. */
function aFlow(url: string, coordinator: Coordinator) {
  const endpoint = { provider: 'custom', baseUrl: url, model: 'simulated-1', apiKey: undefined };
  const adapter = createOpenAIModel(endpoint, { fetch: globalThis.fetch, learned: createLearnedCapabilities() });
  const ledger = new MemoryLedger(nodeClock);
  const entries: CallEntry[] = [];
  const composed = composeModel(withRunner(adapter, { runner: coordinator, runId: 'chaos' }), {
    redactor: createRedactor({ key: 'k' }),
    replies: new MemoryReplyStore(),
    retry: { clock: nodeClock, random: Math.random, attempts: 40, firstWaitMs: 50, longestWaitMs: 1_000 },
    limiter: createRateLimiter({ clock: nodeClock, concurrency: 12 }),
    budget: { ledger, runId: 'chaos', caps: { run: {}, day: {}, month: {} }, price: undefined },
    journal: { clock: nodeClock, record: (entry) => entries.push(entry) },
  });
  const { signal } = new AbortController();
  const over = new AbortController();
  return {
    ledger,
    entries,
    stop: () => over.abort(),
    run: async (): Promise<{ readonly asked: number; readonly answers: number }> => {
      let asked = 0;
      let answers = 0;
      const one = async (): Promise<void> => {
        while (!over.signal.aborted) {
          asked += 1;
          const content = `Say something about harbour ${asked}.`;
          const request = aRequest({ messages: [{ role: 'user', content }], attempt: asked, maxOutputTokens: 500 });
          const { text } = await composed.complete(request, signal);
          answers += text === '' ? 0 : 1;
        }
      };
      await Promise.all(Array.from({ length: 12 }, one));
      return { asked, answers };
    },
  };
}
