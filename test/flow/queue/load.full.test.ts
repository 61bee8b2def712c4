import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { concurrently } from '../../../src/engine/concurrently.js';
import { withRunner } from '../../../src/models/wrappers/withRunner.js';
import type { Coordinator } from '../../../src/queue/coordinator.js';
import { simulatedFrom } from '../../../src/app/models/modelSpec.js';
import type { LanguageModel } from '../../../src/ports/languageModel.js';
import { needRedis, ownRedis, type OwnRedis } from '../../builders/aRedis.js';
import { aRequest } from '../../fakes/ScriptedModel.js';
import { aCoordinator } from './aQueue.js';
import { startWorkerProcess, type Running } from './processes.js';

const { signal } = new AbortController();
const rounds = 10;

interface WorkersWish {
  readonly count: number;
  readonly spec: string;
  readonly concurrency: number;
}

describe('a queue under load', function () {
  this.timeout(1_200_000);
  let redis: OwnRedis;
  let folder = '';

  before(function () {
    needRedis(this, 'own');
  });
  beforeEach(async () => {
    redis = await ownRedis();
    folder = mkdtempSync(path.join(tmpdir(), 'whetstone-load-'));
  });
  afterEach(async () => {
    await redis?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const workersOf = (url: string, wish: WorkersWish): Promise<readonly Running[]> =>
    Promise.all(
      Array.from({ length: wish.count }, (_, index) =>
        startWorkerProcess(url, wish.spec, path.join(folder, `w${wish.count}-${index}`), [
          '--concurrency',
          String(wish.concurrency),
        ]),
      ),
    );

  it('makes attempts that wait 200 ms at least 3.4 times as fast with 4 warm workers as with one', async () => {
    // All are warm and take turns, each in a database of its own: whatever else the machine does slows all of them, and
    // the best round of each is what it can do.
    const groups = await Promise.all([1, 4, 8].map((count) => aGroup(count)));
    try {
      for (let round = 0; round < rounds; round += 1) for (const group of groups) await group.round(round);
    } finally {
      await Promise.all(groups.map((group) => group.dispose()));
    }
    const [one = 0, four = 0, eight = 0] = groups.map(({ rates }) => Math.max(...rates));
    const overall = groups.map(({ rates }) =>
      (rates.length / rates.reduce((sum, rate) => sum + 1 / rate, 0)).toFixed(1),
    );
    process.stdout.write(
      `      attempts a second, the best of ${rounds} rounds: ${one.toFixed(1)} with 1 worker, ${four.toFixed(1)} with 4 (${(four / one).toFixed(2)} times), ${eight.toFixed(1)} with 8 (${(eight / one).toFixed(2)} times); over all rounds ${overall.join(', ')}\n`,
    );
    assert.ok(four / one >= 3.4);
  });

  /** So many workers with a coordinator of their own; a round is a tenth of 2,000 attempts, 50 for one worker alone. */
  async function aGroup(count: number) {
    const spec = 'simulated?latency=200';
    const url = `${redis.url}/${count}`;
    const workers = await workersOf(url, { count, spec, concurrency: 2 });
    const coordinator = await aCoordinator(url);
    const target = withRunner(simulatedFrom(spec), { runner: coordinator, runId: `load-${count}` });
    await asked(target, { from: 0, count: count * 4, atOnce: count * 2 });
    const attempts = count === 1 ? 50 : 2_000 / rounds;
    const rates: number[] = [];
    return {
      rates,
      round: async (round: number): Promise<void> => {
        const began = performance.now();
        await asked(target, { from: 1_000 + round * attempts, count: attempts, atOnce: count * 4 });
        rates.push(attempts / ((performance.now() - began) / 1_000));
      },
      dispose: async (): Promise<void> => {
        await coordinator.close();
        await Promise.all(workers.map((worker) => worker.kill()));
      },
    };
  }

  it('takes at most 1.3 times the memory at the coordinator for 20,000 jobs as for 2,000', async () => {
    const spec = 'simulated?latency=10';
    const workers = await workersOf(redis.url, { count: 2, spec, concurrency: 8 });
    const coordinator: Coordinator = await aCoordinator(redis.url);
    try {
      const target = withRunner(simulatedFrom(spec), { runner: coordinator, runId: 'memory' });
      await asked(target, { from: 0, count: 2_000, atOnce: 32 });
      const small = heapInUse();
      await asked(target, { from: 2_000, count: 18_000, atOnce: 32 });
      const large = heapInUse();
      process.stdout.write(
        `      heap of the coordinator: ${mb(small)} MB after 2,000 jobs, ${mb(large)} MB after 20,000 (${(large / small).toFixed(2)} times)\n`,
      );
      assert.ok(large <= small * 1.3);
    } finally {
      await coordinator.close();
      await Promise.all(workers.map((worker) => worker.kill()));
    }
  });
});

async function asked(
  model: LanguageModel,
  { from, count, atOnce }: { readonly from: number; readonly count: number; readonly atOnce: number },
): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => from + index);
  await concurrently(numbers, atOnce, async (attempt) => {
    await model.complete(aRequest({ attempt, maxOutputTokens: 200 }), signal);
  });
}

function mb(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}

/** What is held, without what is only not collected yet. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}
