import assert from 'node:assert/strict';
import { attemptBounds } from '../../../../../src/app/runs/bound/attemptBound.js';
import { times } from '../../../../../src/app/runs/bound/callBound.js';
import { sizeOf, timed } from '../../../../../src/app/runs/bound/runSize.js';
import { resolveOptions } from '../../../../../src/engine/runOptions.js';
import { aTask } from '../../../../builders/aTask.js';
import { ScriptedModel } from '../../../../fakes/ScriptedModel.js';

const pace = { msPerCall: { low: 1_000, high: 20_000 }, measured: false };

describe('what attempts of agents are announced to take', () => {
  it('is all the tokens and minutes that each may take, and no more than the options say', async () => {
    const often = { least: 20, usual: 20, most: 20 };
    for (const agent of [{}, { maxTokens: 90_000_000, maxTurns: 9_000, minutes: 240 }]) {
      const { bound, models } = await boundOf(agent);
      const size = sizeOf(times(bound, often), models, undefined);
      assert.ok(size.tokens.high >= 20 * 500_000 && size.tokens.high < 21 * 500_000);
      const { minutes, usual } = timed(size, pace, { concurrency: 4, longestMs: 600_000 });
      assert.ok(minutes.high >= 20 * (10 / 4) + 10, 'the last one may begin when all others are done');
      assert.ok(usual.minutes > 5 && usual.minutes < minutes.high);
    }
  });

  it('is no shorter for one attempt where several could work side by side', async () => {
    const { bound, models } = await boundOf({ minutes: 3 });
    const { minutes } = timed(sizeOf(bound, models, undefined), pace, { concurrency: 8, longestMs: 600_000 });
    assert.ok(minutes.high >= 3 && minutes.high < 4, String(minutes.high));
  });
});

async function boundOf(limits: object) {
  const model = new ScriptedModel();
  const real = { identity: { ...model.identity, simulated: false }, complete: model.complete.bind(model) };
  const models = { target: real, judge: real, optimizer: real };
  const agent = { fixture: 'evals/shop', mode: 'offered', ...limits } as const;
  const task = aTask({ environment: 'agent', agent, expectations: [] });
  const options = resolveOptions('standard', []);
  const input = { text: 'A skill.', folder: '/skill', programs: new Map(), options, models };
  return { bound: (await attemptBounds(input, [task])).of(task), models };
}
