import assert from 'node:assert/strict';
import type { AgentId } from '../../src/ports/agentPrograms.js';
import type { AgentWork } from '../../src/ports/agentWork.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import type { Workplaces } from '../../src/ports/workplace.js';
import { nodeAgentPrograms } from '../../src/storage/programs/agentPrograms.js';
import { aWorkTree } from '../builders/aWorkTree.js';
import { someWorkplaces } from '../builders/someWorkplaces.js';
import { aRequest } from '../fakes/ScriptedModel.js';
import type { ServerBehaviour } from './AgentServer.js';
import { AgentMachine, installedKinds, realAgents } from './realAgents.js';
import type { WireAnswer } from './wireFormats.js';

const { signal } = new AbortController();
const mostRounds = 8;
const most = 1.3; // times the bare program

/** A model that runs four commands, one after the other, and says that it is done. */
function fiveCalls(id: AgentId, ms: number): ServerBehaviour {
  const next = ({ text }: { readonly text: string }): WireAnswer => {
    const step = [1, 2, 3, 4].find((each) => !text.includes(`I take step ${each}.`));
    const call = step === undefined ? undefined : realAgents[id]?.run(`echo ${step} >> NOTES.md`);
    return call === undefined ? { text: 'All steps are done.' } : { text: `I take step ${step}.`, calls: [call] };
  };
  return { kind: 'works', next, ms };
}

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
        changes: () => Promise.resolve(undefined),
        take: () => Promise.reject(new Error('Nothing is brought.')),
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
        const content = 'Take four steps.';
        const timed = async (model: LanguageModel): Promise<number> => {
          const began = performance.now();
          const reply = await model.complete({ ...aRequest({ messages: [{ role: 'user', content }] }), work }, signal);
          assert.equal(reply.text, 'All steps are done.');
          return performance.now() - began;
        };
        try {
          machine.server.behaves(fiveCalls(kind.id, ms));
          const held = await machine.model(undefined, someWorkplaces({ environment: machine.environment }));
          const bare = await machine.model(undefined, nowhere(machine));
          await timed(held); // starts the helper
          const times: { held: number; bare: number }[] = [];
          // One after the other, so that both meet the same machine.
          const best = (of: 'held' | 'bare') => Math.min(...times.map((each) => each[of]));
          const share = () => best('held') / best('bare');
          // More rounds on a machine that does much beside it.
          for (let round = 0; round < 3 || (round < mostRounds && share() > most); round += 1)
            times.push({ bare: await timed(bare), held: await timed(held) });
          process.stdout.write(
            `      FIGURE ${kind.id}, ${ms} ms a call: bare ${(best('bare') / 1000).toFixed(2)} s, in its place ${(best('held') / 1000).toFixed(2)} s, ${share().toFixed(2)} times\n`,
          );
          if (ms > 0) assert.ok(share() <= most, String(share()));
        } finally {
          await machine.stop();
        }
      }).timeout(15 * 60_000);
    });
