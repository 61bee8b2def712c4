import assert from 'node:assert/strict';
import { ScriptedWorkplaces } from '../../../../fakes/ScriptedWorkplaces.js';
import { aWorkTree } from '../../../../builders/aWorkTree.js';
import { neverAborted } from '../../../../builders/storage.js';
import { aPlan, aRun, at, keepsContractOfWorkplaces, type Deeds } from './workplacesContract.js';

describe('places for the work of agents that are played', () => {
  const workplaces = new ScriptedWorkplaces({
    agent: async ({ start, files, say, signal }) => {
      const { says = [], writes = {}, removes = [], waits = false }: Deeds = JSON.parse(start.input);
      for (const [path, text] of Object.entries(writes)) files.set(path, text);
      for (const path of removes) files.delete(path);
      for (const line of says) say(line);
      if (waits) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    judge: (_, files) => ({ kind: 'exited', code: 0, output: [...files.keys()].join(), errorOutput: '' }),
  });

  keepsContractOfWorkplaces(
    () => workplaces,
    (deeds) => aRun({ input: JSON.stringify(deeds) }),
  );

  it('shows a judge what was left and what it brings, and tells what is still open', async () => {
    await at(workplaces, aPlan({ skill: undefined }), async (place) => {
      const judge = { command: 'look', arguments: [], timeLimitMs: 1_000, brings: aWorkTree({ 'test.js': '1' }) };
      const seen = await place.judge(judge, neverAborted);
      assert.deepEqual(seen, { kind: 'exited', code: 0, output: 'a.txt,old.txt,test.js', errorOutput: '' });
      assert.equal(workplaces.stillOpen, 1);
    });
    assert.equal(workplaces.stillOpen, 0);
  });
});
