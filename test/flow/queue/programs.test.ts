import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { workerPrograms } from '../../../src/app/environments/workerPrograms.js';
import type { ProgramResult, Programs } from '../../../src/ports/programs.js';
import { lookAt } from '../../../src/queue/openQueue.js';
import { addAllowedPrograms } from '../../../src/storage/programs/allowedPrograms.js';
import { nodePrograms } from '../../../src/storage/programs/nodePrograms.js';
import { nodeClock } from '../../../src/storage/files/nodeAdapters.js';
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { needsSandbox, sandboxHelper } from '../../builders/aSandbox.js';
import { ScriptedModel } from '../../fakes/ScriptedModel.js';
import { aCoordinator, aWorker, namedQueue } from './aQueue.js';
import { aProgramFolder, bareWorkerPrograms, portable, type ProgramFolder } from './somePrograms.js';

const { signal } = new AbortController();
const model = new ScriptedModel();

/** Runs in this process, and counts how often. */
function counted(): { readonly here: Programs['run']; readonly count: () => number } {
  let count = 0;
  return {
    here: (request, heard) => {
      count += 1;
      return nodePrograms.run(request, heard);
    },
    count: () => count,
  };
}

describe('programs of tasks on a queue', () => {
  let redis: TestRedis;
  let folder: ProgramFolder;

  before(async function () {
    needRedis(this);
    redis = await aRedis();
  });
  after(() => redis?.dispose());
  beforeEach(() => {
    folder = aProgramFolder({ 'check.sh': 'read word; echo "$word, $(cat more/list)"\n', 'more/list': 'alongside' });
  });
  afterEach(() => folder.dispose());

  it('run in the sandbox of a worker that has them in its list, and see nothing else of it', async function () {
    await needsSandbox(this);
    const home = path.join(path.dirname(folder.path), 'home');
    mkdirSync(home);
    writeFileSync(path.join(home, 'secret'), 'the secret of the queue', { mode: 0o600 });
    // Put together while it runs: a file that the words name would keep the program here.
    folder.write(
      'check.sh',
      'read word; cat "$word/secret"; cat more/list; echo; echo x > more/list; env | grep -c QUEUE\n',
    );
    const list = path.join(home, 'programs');
    const request = folder.request(`${home}\n`);
    const { hash } = await portable(request);
    await addAllowedPrograms(list, [{ hash, shown: 'sh check.sh' }], process.platform);
    const environment = { ...process.env, WHETSTONE_HOME: path.join(home, 'state'), WHETSTONE_QUEUE_SECRET: 'secret' };
    const { platform } = process;
    const world = { environment, platform, home, clock: nodeClock, trusted: () => true };
    const programs = await workerPrograms({ ...world, sandbox: { helper: sandboxHelper } }, list, signal);
    const worker = await aWorker(redis.url, model, { roles: 'judge', environments: 'program', programs });
    const coordinator = await aCoordinator(redis.url);
    const { here, count } = counted();
    try {
      const results = await Promise.all(
        ['run-1', 'run-2'].map((runId) => coordinator.program({ runId, request }, here, signal)),
      );
      for (const result of results) {
        assert.equal(result.kind === 'exited' && result.output.trim(), 'alongside\n0', JSON.stringify(result));
        assert.match(result.kind === 'exited' ? result.errorOutput : '', /secret: (?:Permission denied|No such file)/);
      }
      assert.equal(count(), 0);
      const { workers } = await lookAt(namedQueue(redis.url));
      assert.deepEqual(workers[0]?.programs, [hash]);
    } finally {
      await coordinator.close();
      await worker.stop();
    }
  });

  it('run where they were asked for once a byte of them is another one, and say so before', async () => {
    const { hash } = await portable(folder.request());
    const programs = bareWorkerPrograms([hash]);
    const worker = await aWorker(redis.url, model, { roles: 'judge', environments: 'program', programs });
    const coordinator = await aCoordinator(redis.url);
    const { here, count } = counted();
    try {
      const run = async (): Promise<string> => {
        const end = await coordinator.program({ runId: 'run-1', request: folder.request('Moored') }, here, signal);
        return end.kind === 'exited' ? end.output.trim() : end.kind;
      };
      assert.equal(await coordinator.staysHere(folder.request(), signal), undefined);
      assert.equal(await run(), 'Moored, alongside');
      assert.deepEqual([count(), programs.ran.length], [0, 1]);
      folder.write('more/list', 'Alongside');
      assert.equal(await coordinator.staysHere(folder.request(), signal), 'not-taken');
      assert.equal(await run(), 'Moored, Alongside');
      assert.deepEqual([count(), programs.ran.length], [1, 1]);
      const untold = folder.request('Moored', { travels: undefined });
      folder.write('more/list', 'alongside');
      await coordinator.program({ runId: 'run-1', request: untold }, here, signal);
      assert.deepEqual([count(), programs.ran.length], [2, 1], 'what an environment is asked beside attempts stays');
    } finally {
      await coordinator.close();
      await worker.stop();
    }
  });

  it('are tried again where a worker lost them, and run here in the end', async () => {
    const { hash } = await portable(folder.request());
    let starts = 0;
    const run = (): Promise<never> => {
      starts += 1;
      return Promise.reject(new Error('The disk is full.'));
    };
    const programs = { ...bareWorkerPrograms([hash]), run };
    const worker = await aWorker(redis.url, model, { roles: 'judge', environments: 'program', programs });
    const coordinator = await aCoordinator(redis.url);
    const { here, count } = counted();
    try {
      const end = await coordinator.program({ runId: 'run-lost', request: folder.request('Moored') }, here, signal);
      assert.equal(end.kind, 'exited');
      assert.deepEqual([starts, count()], [3, 1]);
      let told: string | undefined;
      for (let looks = 0; looks < 100 && told === undefined; looks += 1) {
        await wait(100); // its card is written anew every two seconds
        told = (await lookAt(namedQueue(redis.url))).failures.at(-1)?.why;
      }
      assert.match(told ?? '', /The disk is full/);
    } finally {
      await coordinator.close();
      await worker.stop();
    }
  });

  it('run here where they cannot be started on any worker that has them in its list', async () => {
    const { hash } = await portable(folder.request());
    let starts = 0;
    const run = (): Promise<ProgramResult> => {
      starts += 1;
      return Promise.resolve({ kind: 'not-started', reason: 'There is no sh.' });
    };
    const programs = { ...bareWorkerPrograms([hash]), run };
    const worker = await aWorker(redis.url, model, { roles: 'judge', environments: 'program', programs });
    const coordinator = await aCoordinator(redis.url);
    const { here, count } = counted();
    try {
      const end = await coordinator.program({ runId: 'run-less', request: folder.request('Moored') }, here, signal);
      assert.equal(end.kind === 'exited' && end.output.trim(), 'Moored, alongside');
      assert.ok(starts >= 1);
      assert.equal(count(), 1);
    } finally {
      await coordinator.close();
      await worker.stop();
    }
  });

  it('run on all workers that have them in their lists, whatever else is in those', async () => {
    const { hash } = await portable(folder.request());
    const lists = [bareWorkerPrograms([hash]), bareWorkerPrograms([hash, 'f'.repeat(64)])];
    const choice = { roles: 'judge', environments: 'program' };
    const workers = await Promise.all(lists.map((programs) => aWorker(redis.url, model, { ...choice, programs })));
    const coordinator = await aCoordinator(redis.url);
    const { here, count } = counted();
    try {
      for (const word of ['one', 'two', 'three', 'four'])
        await coordinator.program({ runId: 'run-all', request: folder.request(word) }, here, signal);
      assert.equal(count(), 0);
      assert.ok(lists.every(({ ran }) => ran.length >= 1));
    } finally {
      await coordinator.close();
      await Promise.all(workers.map((worker) => worker.stop()));
    }
  });

  it('are taken by no worker without a sandbox or without the role that sees answers, which its card says', async () => {
    const why = 'This worker takes no programs. There is no sandbox here.';
    const { hash } = await portable(folder.request());
    const workers = [
      await aWorker(redis.url, model, { environments: 'chat,program', programs: { why } }),
      await aWorker(redis.url, model, {
        roles: 'target',
        environments: 'chat,program',
        programs: bareWorkerPrograms([hash]),
      }),
    ];
    const coordinator = await aCoordinator(redis.url);
    const { here, count } = counted();
    try {
      assert.deepEqual(
        workers.map(({ card }) => card.noPrograms),
        [why, 'Programs see answers: they need the role judge.'],
      );
      for (const { card } of workers) assert.ok(card.lanes.every(({ environment }) => environment === 'chat'));
      assert.equal(await coordinator.staysHere(folder.request(), signal), 'not-taken');
      await coordinator.program({ runId: 'run-1', request: folder.request() }, here, signal);
      assert.equal(count(), 1);
    } finally {
      await coordinator.close();
      await Promise.all(workers.map((worker) => worker.stop()));
    }
  });
});
