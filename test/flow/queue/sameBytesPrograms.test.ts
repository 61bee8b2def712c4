import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { createSimulatedModel } from '../../../src/simulated/simulatedModel.js';
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { aWorkspace, writtenTasks, type TestWorkspace } from '../../builders/aWorkspace.js';
import { aCoordinator, aWorker } from './aQueue.js';
import { proposalIn } from './processes.js';
import { bareWorkerPrograms } from './somePrograms.js';

const { signal } = new AbortController();
const check = { check: 'command', command: 'sh', arguments: ['check.sh'], folder: 'checks', criterion: 'It greets.' };
const parts = {
  tasks: writtenTasks({ training: 2, heldOut: 6, sealed: 0 }, ['Visibility:', 'fathoms']).map((task, index) =>
    index < 4 ? { ...task, checks: [...task.checks, check] } : task,
  ),
  files: { 'checks/check.sh': 'cat more.txt > /dev/null && grep -q .\n', 'checks/more.txt': 'Read by the check.\n' },
};

/** The check runs without a sandbox here, which the contained case beside it has. */
describe('the same run with its check command on a queue', () => {
  let redis: TestRedis;

  before(async function () {
    needRedis(this);
    redis = await aRedis();
  });
  after(() => redis?.dispose());

  it('comes to the same proposal, byte for byte, and every check ran on the worker', async () => {
    const [here, there] = [aWorkspace(parts), aWorkspace(parts)];
    const coordinator = await aCoordinator(redis.url);
    const place = { skillPath: there.skillPath, workspaceFolders: [there.folder] };
    const listed = await there.useCases().programsForWorkers(place, signal);
    const programs = bareWorkerPrograms(listed.flatMap(({ hash }) => hash ?? []));
    const worker = await aWorker(redis.url, createSimulatedModel(), { environments: 'chat,program', programs });
    try {
      const own = await optimized(here, {});
      mkdirSync(path.join(there.home, 'state'), { recursive: true, mode: 0o700 });
      copyFileSync(path.join(here.home, 'state', 'state.key'), path.join(there.home, 'state', 'state.key'));
      const attempts = {
        place: redis.url,
        run: coordinator.run.bind(coordinator),
        program: coordinator.program.bind(coordinator),
        staysHere: coordinator.staysHere,
      };
      const request = requestFor(there);
      const { notes } = await there.useCases(undefined, { attempts }).preflight(request, signal);
      assert.ok(notes.includes(`Programs that are run by the workers at ${redis.url}: 1 of 1.`), notes.join('\n'));
      const result = await optimized(there, { attempts });
      assert.equal(result.proposal?.verdict.kind, own.proposal?.verdict.kind);
      assert.notEqual(proposalIn(there.folder), '');
      assert.equal(proposalIn(there.folder), proposalIn(here.folder));
      assert.ok(programs.ran.length > 8, `only ${programs.ran.length} checks ran on the worker`);
    } finally {
      await coordinator.close();
      await worker.stop();
      here.dispose();
      there.dispose();
    }
  });
});

function requestFor({ skillPath, folder }: TestWorkspace) {
  const run = { preset: 'quick', settings: [], purpose: 'optimize', trusted: true } as const;
  return { skillPath, workspaceFolders: [folder], ...run };
}

function optimized(workspace: TestWorkspace, more: Parameters<TestWorkspace['useCases']>[1]) {
  const consent = { allows: () => Promise.resolve(true) };
  const useCases = workspace.useCases(undefined, { consent, ...more });
  return useCases.optimize(requestFor(workspace), () => undefined, signal);
}
