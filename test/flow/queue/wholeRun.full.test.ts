import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { lookAt } from '../../../src/queue/openQueue.js';
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { aWorkspace, writtenTasks, type TestWorkspace } from '../../builders/aWorkspace.js';
import { namedQueue } from './aQueue.js';
import { proposalIn, startCommand, startWorkerProcess } from './processes.js';

const parts = { tasks: writtenTasks({ training: 2, heldOut: 6, sealed: 0 }, ['Visibility:', 'fathoms']) };

describe('a run whose attempts are made on other machines', function () {
  this.timeout(240_000);
  let redis: TestRedis;

  before(async function () {
    needRedis(this);
    redis = await aRedis();
  });
  after(() => redis?.dispose());

  it('comes to the same verdict and proposal, byte for byte, also where a worker is killed in the middle', async () => {
    const [here, there] = [aWorkspace(parts), aWorkspace(parts)];
    const home = (name: string): string => path.join(path.dirname(there.folder), name);
    try {
      // What a workspace says of a queue counts for nothing.
      writeFileSync(path.join(here.folder, '.env'), `WHETSTONE_QUEUE=${redis.url}\n`);
      mkdirSync(path.join(here.folder, '.vscode'), { recursive: true });
      writeFileSync(path.join(here.folder, '.vscode', 'settings.json'), `{ "whetstone.queue": "${redis.url}" }`);
      const looked = await startCommand(['queue'], here.folder, here.home);
      assert.deepEqual([await looked.ended(), /No queue is named/.test(looked.said.err)], [2, true], looked.said.err);
      await optimized(here, []);
      assert.deepEqual(await lookAt(namedQueue(redis.url)), { workers: [], lanes: [], failures: [] });
      mkdirSync(there.home, { recursive: true, mode: 0o700 });
      copyFileSync(path.join(here.home, 'state.key'), path.join(there.home, 'state.key'));
      const first = await startWorkerProcess(redis.url, 'simulated', home('w1'), ['--concurrency', '1']);
      const run = await startCommand(wordsFor(there, ['--queue', redis.url]), there.folder, there.home);
      await answered(redis.url, 2);
      const second = await startWorkerProcess(redis.url, 'simulated', home('w2'));
      await first.kill();
      assert.equal(await run.ended(), 0, run.said.err);
      await second.stop();
      assert.equal(proposalIn(there.folder), proposalIn(here.folder));
      assert.notEqual(proposalIn(here.folder), '');
    } finally {
      here.dispose();
      there.dispose();
    }
  });

  it('is refused where a file of the workspace names the queue', async () => {
    const workspace = aWorkspace(parts);
    try {
      mkdirSync(path.join(workspace.folder, '.whetstone'), { recursive: true });
      writeFileSync(path.join(workspace.folder, '.whetstone', 'config.yaml'), `queue: ${redis.url}\n`);
      const run = await startCommand(wordsFor(workspace, []), workspace.folder, workspace.home);
      assert.notEqual(await run.ended(), 0);
      assert.match(run.said.err, /a workspace cannot say where attempts are made.*\.whetstone\/config\.yaml/s);
    } finally {
      workspace.dispose();
    }
  });
});

/** Waits until the workers have answered so many jobs. */
async function answered(url: string, least: number): Promise<void> {
  for (;;) {
    const { workers } = await lookAt(namedQueue(url));
    const count = workers.flatMap(({ lanes }) => lanes).reduce((sum, lane) => sum + lane.answered, 0);
    if (count >= least) return;
    await wait(50);
  }
}

function wordsFor({ skillPath }: TestWorkspace, more: readonly string[]): readonly string[] {
  return ['optimize', skillPath, '--preset', 'quick', '--model', 'simulated', '--yes', '--json', ...more];
}

async function optimized(workspace: TestWorkspace, more: readonly string[]): Promise<void> {
  const run = await startCommand(wordsFor(workspace, more), workspace.folder, workspace.home);
  assert.equal(await run.ended(), 0, run.said.err);
}
