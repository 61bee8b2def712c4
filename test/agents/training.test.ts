import assert from 'node:assert/strict';
import path from 'node:path';
import { startSimulatedServer } from '../../src/simulated/server/serveSimulated.js';
import { aCommandLine } from '../builders/commandLine.js';
import { AgentMachine, installedKinds, realAgents } from './realAgents.js';

/** One look at all failures, and one comparison: a third of the calls, for a program that answers one at a time in seconds. */
const brief = '--rule strict --set gate.attribution=false --set train.batchSize=10000'
  .concat(' --set reflect.minibatchSize=1000 --set reflect.failureOnly=true')
  .split(' ');

/** A whole run through the real program as target and optimizer; the simulated model answers in its wire format. */
for (const kind of installedKinds)
  describe(`the demo skill, trained through ${kind.label} itself`, () => {
    it('comes from start to verdict, every answer counted', async () => {
      const server = await startSimulatedServer({ port: 0 });
      const machine = await AgentMachine.start(kind);
      const environment = { ...machine.environment, ...realAgents[kind.id]?.environment(new URL(server.url).origin) };
      const shell = aCommandLine({ copy: path.resolve('media/demo'), model: 'none', environment });
      try {
        const skill = path.join(shell.folder, '.claude/skills/incident-summary');
        const model = `${kind.id}/${kind.id === 'opencode' ? 'whetstone/' : ''}simulated-1`;
        const isBrief = kind.atOnce === 1;
        const how = ['--model', model, '--preset', 'quick', '--yes', ...(isBrief ? brief : [])];
        const began = performance.now();
        const trained = await shell.run('optimize', skill, ...how);
        const seconds = (performance.now() - began) / 1000;
        assert.equal(trained.code, 0, trained.err);
        assert.match(trained.out, /incident-summary improved from 0 % to \d+ % on (?:10|the \d+ of 10) held-out tasks/);
        assert.match(trained.out, new RegExp(`target ${kind.id}/`));
        const { answered } = server.counts();
        process.stdout.write(`      FIGURE ${kind.id}: ${answered} calls in ${seconds.toFixed(0)} s\n`);
        assert.ok(answered > (isBrief ? 25 : 50), String(answered));
        assert.match(trained.out, new RegExp(`${answered} model calls`));
      } finally {
        shell.dispose();
        await machine.stop();
        await server.stop();
      }
    }).timeout(30 * 60_000); // on a machine that does much beside it
  });
