import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { runPortable } from '../../../src/app/environments/workerPrograms.js';
import { workJudge } from '../../../src/models/agents/work/workJudge.js';
import type { WorkJudge, WorkLeft } from '../../../src/ports/agentWork.js';
import type { LanguageModel } from '../../../src/ports/languageModel.js';
import type { FolderToJudge, WorkerPrograms } from '../../../src/ports/workerPrograms.js';
import type { Workplaces } from '../../../src/ports/workplace.js';
import { hashOfJudge } from '../../../src/queue/programJob.js';
import { lookAt } from '../../../src/queue/openQueue.js';
import { nodePrograms } from '../../../src/storage/programs/nodePrograms.js';
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { needsSandbox } from '../../builders/aSandbox.js';
import { aWorkTree } from '../../builders/aWorkTree.js';
import { isFull } from '../../builders/few.js';
import { bareWorkplaces, someWorkplaces } from '../../builders/someWorkplaces.js';
import { aCoordinator, aWorker, namedQueue, queued } from './aQueue.js';
import { standInAtWork, workRequest } from './standInAtWork.js';

const { signal } = new AbortController();

/** Adds, changes, deletes, makes a link and a program, and leaves a link that leads out. */
const script =
  'echo "- Fixed" > NEWS.md; echo B > b.txt; rm a.txt; mkdir -p d/e; echo x > d/e/f; ln -s ../b.txt d/l; chmod +x b.txt; ln -s /etc/passwd out; git commit -qam mine 2>/dev/null; rm -rf .git';
/** Tells what it finds, and what its own files say of it. */
const look =
  'find . -path ./.git -prune -o -path ./.claude -prune -o -print | sort; cat NEWS.md d/l; test -x b.txt && echo runs; git status --short | sort; cat wanted';
const judges: readonly WorkJudge[] = [
  { command: '/bin/sh', arguments: ['-c', look], timeLimitMs: 20_000, brings: aWorkTree({ wanted: 'Fixed\n' }) },
  { command: '/bin/sh', arguments: ['-c', 'grep -q Fixed NEWS.md && exit 7'], timeLimitMs: 20_000 },
];

/** Folders are real; programs are held with the full numbers, for a sandbox takes its time to start. */
describe('agents on a queue whose work programs judge', function () {
  this.timeout(120_000);
  let redis: TestRedis;
  let workplaces: Workplaces;

  before(async function () {
    needRedis(this);
    if (isFull) await needsSandbox(this);
    workplaces = isFull ? someWorkplaces() : bareWorkplaces();
    redis = await aRedis();
  });
  after(() => redis?.dispose());

  const judgeOnWorker = (allowed: readonly string[], asked: FolderToJudge[]): WorkerPrograms => ({
    allowed: new Set(allowed),
    run: (program, task, abort) => runPortable(nodePrograms, { program, task }, abort),
    judge: ({ skillsFolder, left, ...work }, abort) => {
      asked.push({ ...work, skillsFolder, left });
      const limits = { maxTokens: 0, maxTurns: 0, timeLimitMs: 0 };
      return workJudge({ skillsFolder }, { workplaces }).judge({ ...work, mode: 'offered', limits }, left, abort);
    },
  });

  /** The adapter of a machine, and what it was asked to do there. */
  function watched(): { readonly model: LanguageModel; readonly worked: () => number; readonly judged: () => number } {
    const model = standInAtWork(workplaces);
    let [worked, judged] = [0, 0];
    const { workJudge: judging } = model;
    assert.ok(judging !== undefined);
    return {
      model: {
        ...model,
        complete: (request, stop) => {
          worked += 1;
          assert.deepEqual(request.work?.judges, [], 'what judges never reaches whoever works');
          return model.complete(request, stop);
        },
        workJudge: {
          ...judging,
          judge: (...given) => {
            judged += 1;
            return judging.judge(...given);
          },
        },
      },
      worked: () => worked,
      judged: () => judged,
    };
  }

  it('are attempted on a worker and judged by another one, or here, as they would have been in one place', async () => {
    const request = workRequest({ script }, { judges });
    const alone = await standInAtWork(workplaces).complete(request, signal);
    assert.match(toldBy(alone.work), /^\.\n\.\/NEWS\.md\n\.\/b\.txt\n\.\/d\n.*\n- Fixed\nB\nruns\n.*Fixed\n$/s);

    const [far, here] = [watched(), watched()];
    const target = await aWorker(redis.url, far.model, { roles: 'target', environments: 'agent', name: 'target' });
    const coordinator = await aCoordinator(redis.url);
    const asked: FolderToJudge[] = [];
    const started: { stop(): Promise<unknown> }[] = [target];
    try {
      const judgedHere = await queued(here.model, coordinator, 'run-1').complete(request, signal);
      assert.deepEqual([far.worked(), far.judged(), here.worked(), here.judged()], [1, 0, 0, 1]);
      assert.equal(await shortLived(redis.url), 1, 'what the agent left was read, and goes soon');
      const programs = judgeOnWorker(judges.map(hashOfJudge), asked);
      const judge = await aWorker(redis.url, far.model, { roles: 'judge', environments: 'program', programs });
      started.push(judge);
      await wait(1_200); // who works is looked at once a second
      const judgedThere = await queued(here.model, coordinator, 'run-2').complete(request, signal);
      assert.deepEqual([far.worked(), here.worked(), here.judged()], [2, 0, 1]);
      assert.equal(await shortLived(redis.url), 2);
      assert.ok(asked.length >= 1, 'judged on the worker'); // again where a busy machine let its lock run out
      assert.deepEqual(asked[0]?.left.deleted, ['a.txt']);
      assert.ok(!JSON.stringify(asked[0]?.left.changed.entries.map(({ path }) => path)).includes('out'));
      for (const { work } of [judgedHere, judgedThere]) {
        assert.equal(toldBy(work), toldBy(alone.work).replace('./out\n', '').replace('?? out\n', ''));
        assert.deepEqual(
          work?.judged.map((each) => each.kind === 'exited' && each.code),
          [0, 7],
        );
        assert.equal(work?.folder, undefined);
      }
    } finally {
      await coordinator.close();
      await Promise.all(started.map((worker) => worker.stop()));
    }
  });

  it('are judged here where a byte of what judges them is not in the list of any worker', async () => {
    const [far, here] = [watched(), watched()];
    const asked: FolderToJudge[] = [];
    const other = judges.map((judge) => ({ ...judge, arguments: [...judge.arguments, ''] }));
    const programs = judgeOnWorker([...judges.slice(0, 1), ...other].map(hashOfJudge), asked);
    const worker = await aWorker(redis.url, far.model, { environments: 'agent,program', programs });
    const coordinator = await aCoordinator(redis.url);
    try {
      await queued(here.model, coordinator, 'run-3').complete(workRequest({ script }, { judges }), signal);
      assert.deepEqual([far.worked(), here.judged(), asked.length], [1, 1, 0]);
    } finally {
      await coordinator.close();
      await worker.stop();
    }
  });

  it('are no score where they leave more than the queue takes, and are not judged at a limit', async () => {
    const [far, here] = [watched(), watched()];
    const worker = await aWorker(redis.url, far.model, { roles: 'target', environments: 'agent' });
    const coordinator = await aCoordinator(redis.url);
    try {
      const asking = queued(here.model, coordinator, 'run-4');
      const much = 'head -c 40000000 /dev/zero > much';
      const { work } = await asking.complete(workRequest({ script: much }, { judges }), signal);
      assert.deepEqual(
        work?.judged.map(({ kind }) => kind),
        ['not-started', 'not-started'],
      );
      const limits = { maxTokens: 200_000, maxTurns: 2, timeLimitMs: 60_000 };
      const ended = await asking.complete(workRequest({ turns: 5, waitMs: 200 }, { judges, limits }), signal);
      assert.deepEqual([ended.work?.ended, ended.work?.judged.length, here.judged()], ['turns', 0, 0]);
      const { workers } = await lookAt(namedQueue(redis.url));
      assert.deepEqual(workers[0]?.refused, {});
    } finally {
      await coordinator.close();
      await worker.stop();
    }
  });
});

/** How many folders are about to go: those of the fixture and the skill lie there for half an hour. */
async function shortLived(url: string): Promise<number> {
  const raw = new Redis(url);
  try {
    const lives = await Promise.all((await raw.keys('whetstone:blob:*')).map((key) => raw.pttl(key)));
    return lives.filter((life) => life <= 2 * 60_000).length;
  } finally {
    raw.disconnect();
  }
}

function toldBy(work: WorkLeft | undefined): string {
  const [first] = work?.judged ?? [];
  return first?.kind === 'exited' ? first.output : JSON.stringify(first);
}
