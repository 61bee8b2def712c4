import assert from 'node:assert/strict';
import { workJudge } from '../../src/models/agents/work/workJudge.js';
import type { WorkJudge } from '../../src/ports/agentWork.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import type { WorkerPrograms } from '../../src/ports/workerPrograms.js';
import { hashOfJudge } from '../../src/queue/programJob.js';
import { aRedis, needRedis } from '../builders/aRedis.js';
import { aWorkTree } from '../builders/aWorkTree.js';
import { someWorkplaces } from '../builders/someWorkplaces.js';
import { aCoordinator, aWorker, queued } from '../flow/queue/aQueue.js';
import { workRequest } from '../flow/queue/standInAtWork.js';
import type { ServerBehaviour } from './AgentServer.js';
import { AgentMachine, installedKinds, realAgents } from './realAgents.js';

const { signal } = new AbortController();
const check = 'grep -q "^2$" NOTES.md && cat wanted && git status --short | grep NOTES.md';
const judges: readonly WorkJudge[] = [
  { command: '/bin/sh', arguments: ['-c', check], timeLimitMs: 30_000, brings: aWorkTree({ wanted: 'Two steps.\n' }) },
];

/** A model that runs two commands and says that it is done. */
function twoSteps(kind: (typeof installedKinds)[number]): ServerBehaviour {
  return {
    kind: 'works',
    next: ({ text }) => {
      const step = [1, 2].find((each) => !text.includes(`I take step ${each}.`));
      const call = step === undefined ? undefined : realAgents[kind.id]?.run(`echo ${step} >> NOTES.md`);
      return call === undefined ? { text: 'All steps are done.' } : { text: `I take step ${step}.`, calls: [call] };
    },
  };
}

for (const kind of installedKinds.filter(({ id }) => id === 'claude-code' || id === 'codex'))
  describe(`${kind.label} on a worker`, () => {
    it('works there in the sandbox, and another worker judges what it left, as in one place', async function () {
      needRedis(this);
      const redis = await aRedis();
      const machine = await AgentMachine.start(kind);
      machine.server.behaves(twoSteps(kind));
      const workplaces = someWorkplaces({ environment: machine.environment });
      const model = await machine.model(undefined, workplaces);
      let [worked, judged] = [0, 0];
      const far: LanguageModel = {
        ...model,
        complete: (request, stop) => {
          worked += 1;
          return model.complete(request, stop);
        },
      };
      const programs: WorkerPrograms = {
        allowed: new Set(judges.map(hashOfJudge)),
        run: () => Promise.reject(new Error('No program is attempted.')),
        judge: ({ skillsFolder, left, ...work }, stop) => {
          judged += 1;
          const unused = { mode: 'offered', limits: { maxTokens: 0, maxTurns: 0, timeLimitMs: 0 } } as const;
          return workJudge({ skillsFolder }, { workplaces }).judge({ ...work, ...unused }, left, stop);
        },
      };
      const target = await aWorker(redis.url, far, { roles: 'target', environments: 'agent' });
      const judge = await aWorker(redis.url, far, { roles: 'judge', environments: 'program', programs });
      const coordinator = await aCoordinator(redis.url);
      try {
        const request = workRequest({}, { judges, limits: { maxTokens: 200_000, maxTurns: 20, timeLimitMs: 300_000 } });
        const alone = await model.complete(request, signal);
        const asked = machine.server.asked.length;
        const there = await queued(model, coordinator, 'run-1').complete(request, signal);
        assert.deepEqual([worked, judged], [1, 1]);
        assert.equal(machine.server.asked.length, 2 * asked, 'as many requests as in one place');
        assert.deepEqual(there.work?.judged, alone.work?.judged);
        assert.equal(there.work?.judged[0]?.kind, 'exited');
        assert.deepEqual(
          [there.text, there.work?.ended, there.work?.changed],
          [alone.text, alone.work?.ended, alone.work?.changed],
        );
        assert.match(JSON.stringify(there.work?.judged), /Two steps/);
        process.stdout.write(`      FIGURE ${kind.id}: ${asked} requests here, ${asked} on a worker\n`);
      } finally {
        await coordinator.close();
        await target.stop();
        await judge.stop();
        await machine.stop();
        await redis.dispose();
      }
    }).timeout(15 * 60_000);
  });
