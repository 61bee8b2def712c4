import assert from 'node:assert/strict';
import type { AgentWork } from '../../src/ports/agentWork.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import type { Workplaces } from '../../src/ports/workplace.js';
import { nodeAgentPrograms } from '../../src/storage/programs/agentPrograms.js';
import { aWorkTree } from '../builders/aWorkTree.js';
import { someWorkplaces } from '../builders/someWorkplaces.js';
import { aRequest } from '../fakes/ScriptedModel.js';
import { AgentMachine, installedKinds } from './realAgents.js';
import { skilledModel } from './skilledModel.js';

const { signal } = new AbortController();
const rounds = 5;

/** The bare program in an empty folder: nothing is prepared, nothing holds it, nothing is looked at. */
function nowhere(machine: AgentMachine): Workplaces {
  const programs = nodeAgentPrograms({ environment: machine.environment, workspace: () => [] });
  return {
    state: () => Promise.resolve({ kind: 'throw-away' }),
    open: () =>
      Promise.resolve({
        folders: { home: '', work: '', temporary: '' },
        run: (run, stop) => {
          const start: typeof run.start = (folders) => {
            const begun = run.start(folders);
            return { ...begun, environment: { ...begun.environment, ...run.reach.secrets } };
          };
          return programs.run({ ...run, start }, stop);
        },
        left: () => Promise.resolve({ diff: '', changed: [], touched: [], refusedHosts: [], tooMuch: false }),
        judge: () => Promise.reject(new Error('Nothing is judged.')),
        close: () => Promise.resolve(),
      }),
  };
}

for (const kind of installedKinds)
  for (const ms of [400, 0])
    describe(`what an attempt of ${kind.label} costs, with a server that takes ${ms} ms`, () => {
      it('is little beside the bare program', async () => {
        const machine = await AgentMachine.start(kind);
        const limits = { maxTokens: 200_000, maxTurns: 20, timeLimitMs: 300_000 };
        const fixture = aWorkTree({ 'calc.py': 'def add(a, b):\n    return a + b\n' });
        const work: AgentWork = { fixture, skill: undefined, mode: 'offered', limits, judges: [] };
        const content = 'Write an entry about “add is right” to NOTES.md.';
        const timed = async (model: LanguageModel): Promise<number> => {
          const began = performance.now();
          const reply = await model.complete({ ...aRequest({ messages: [{ role: 'user', content }] }), work }, signal);
          assert.match(reply.text, /NOTES\.md says/u);
          return performance.now() - began;
        };
        try {
          machine.server.behaves(skilledModel(kind.id, 'no-such-skill', ms));
          const held = await machine.model(undefined, someWorkplaces({ environment: machine.environment }));
          const bare = await machine.model(undefined, nowhere(machine));
          await timed(held); // starts the helper
          const times: { held: number; bare: number }[] = [];
          // One after the other, so that both meet the same machine.
          for (let round = 0; round < rounds; round += 1)
            times.push({ bare: await timed(bare), held: await timed(held) });
          const best = (of: 'held' | 'bare') => Math.min(...times.map((each) => each[of]));
          const share = best('held') / best('bare');
          process.stdout.write(
            `      FIGURE ${kind.id}, ${ms} ms a call: bare ${(best('bare') / 1000).toFixed(2)} s, in its place ${(best('held') / 1000).toFixed(2)} s, ${share.toFixed(2)} times\n`,
          );
          if (ms > 0) assert.ok(share <= 1.3, `${share}`);
        } finally {
          await machine.stop();
        }
      }).timeout(15 * 60_000);
    });
