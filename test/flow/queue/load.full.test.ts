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
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { aRequest } from '../../fakes/ScriptedModel.js';
import { aCoordinator } from './aQueue.js';
import { startWorkerProcess, type Running } from './processes.js';

const { signal } = new AbortController();

describe('a queue under load', function () {
  this.timeout(1_200_000);
  let redis: TestRedis;
  let folder = '';

  before(function () {
    needRedis(this);
  });
  beforeEach(async () => {
    redis = await aRedis();
    folder = mkdtempSync(path.join(tmpdir(), 'whetstone-load-'));
  });
  afterEach(async () => {
    await redis?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const workersOf = (count: number, spec: string, concurrency: number): Promise<readonly Running[]> =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        startWorkerProcess(redis.url, spec, path.join(folder, `w${index}`), ['--concurrency', String(concurrency)]),
      ),
    );

  it('makes attempts that wait 200 ms at least 3.4 times as fast with 4 warm workers as with one', async () => {
    const spec = 'simulated?latency=200';
    const rates = new Map<number, number>();
    for (const [count, attempts] of [
      [1, 500],
      [4, 2_000],
      [8, 2_000],
    ] as const) {
      const workers = await workersOf(count, spec, 2);
      const coordinator = await aCoordinator(redis.url);
      try {
        const target = withRunner(simulatedFrom(spec), { runner: coordinator, runId: `load-${count}` });
        await asked(target, { from: 0, count: count * 4, atOnce: count * 2 });
        const began = performance.now();
        await asked(target, { from: 1_000, count: attempts, atOnce: count * 4 });
        rates.set(count, attempts / ((performance.now() - began) / 1_000));
      } finally {
        await coordinator.close();
        await Promise.all(workers.map((worker) => worker.kill()));
      }
    }
    const [one = 0, four = 0, eight = 0] = [...rates.values()];
    process.stdout.write(
      `      attempts a second: ${one.toFixed(1)} with 1 worker, ${four.toFixed(1)} with 4 (${(four / one).toFixed(2)} times), ${eight.toFixed(1)} with 8 (${(eight / one).toFixed(2)} times)\n`,
    );
    assert.ok(four / one >= 3.4);
  });

  it('takes at most 1.3 times the memory at the coordinator for 20,000 jobs as for 2,000', async () => {
    const spec = 'simulated?latency=10';
    const workers = await workersOf(2, spec, 8);
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
