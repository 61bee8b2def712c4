import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createSimulatedModel } from '../../../src/simulated/simulatedModel.js';
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { aWorkspace, writtenTasks } from '../../builders/aWorkspace.js';
import { aCoordinator, aWorker } from './aQueue.js';
import { proposalIn } from './processes.js';

const parts = { tasks: writtenTasks({ training: 2, heldOut: 6, sealed: 0 }, ['Visibility:', 'fathoms']) };
const { signal } = new AbortController();

/** One worker in this process; with worker processes that are killed in wholeRun.full.test.ts. */
describe('the same run with its attempts on a queue', () => {
  let redis: TestRedis;

  before(async function () {
    needRedis(this);
    redis = await aRedis();
  });
  after(() => redis?.dispose());

  it('comes to the same verdict and proposal, byte for byte, and every attempt was a job', async () => {
    const [here, there] = [aWorkspace(parts), aWorkspace(parts)];
    const model = createSimulatedModel();
    let jobs = 0;
    const complete: typeof model.complete = (request, stop) => {
      jobs += 1;
      return model.complete(request, stop);
    };
    const worker = await aWorker(redis.url, { ...model, complete }, { name: 'harbour' });
    const coordinator = await aCoordinator(redis.url);
    try {
      const own = await here.optimize();
      mkdirSync(path.join(there.home, 'state'), { recursive: true, mode: 0o700 });
      copyFileSync(path.join(here.home, 'state', 'state.key'), path.join(there.home, 'state', 'state.key'));
      const { skillPath, folder } = there;
      const request = {
        skillPath,
        workspaceFolders: [folder],
        preset: 'quick',
        settings: [],
        purpose: 'optimize',
        trusted: true,
      } as const;
      const attempts = { place: redis.url, run: coordinator.run.bind(coordinator) };
      const result = await there.useCases(undefined, { attempts }).optimize(request, () => undefined, signal);
      assert.equal(result.proposal?.verdict.kind, own.proposal?.verdict.kind);
      assert.equal(proposalIn(folder), proposalIn(here.folder));
      assert.notEqual(proposalIn(folder), '');
      assert.ok(result.summary.notes.some((note) => note.includes('made by the workers at')));
      assert.ok(jobs > 10, `only ${jobs} jobs`);
      assert.deepEqual(result.summary.workers, [{ name: 'harbour', answered: jobs, failed: 0 }]);
      assert.equal(own.summary.workers, undefined);
      assert.match(reportIn(folder), /- The worker harbour answered \d+ calls of this run\./);
    } finally {
      await coordinator.close();
      await worker.stop();
      here.dispose();
      there.dispose();
    }
  });
});

/** The report of the one run of a workspace, as it lies there. */
function reportIn(folder: string): string {
  const runs = path.join(folder, '.whetstone', 'runs');
  return readFileSync(path.join(runs, readdirSync(runs)[0] ?? '', 'report.md'), 'utf8');
}
