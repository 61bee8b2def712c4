import assert from 'node:assert/strict';
import { attemptBounds } from '../../../../../src/app/runs/bound/attemptBound.js';
import { times } from '../../../../../src/app/runs/bound/callBound.js';
import { sizeOf, timed } from '../../../../../src/app/runs/bound/runSize.js';
import { agentTokensOf } from '../../../../../src/app/runs/estimates.js';
import { emptySummary, type RunSummary } from '../../../../../src/engine/journal/runSummary.js';
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

  it('is usually what they took before on the same target, where that is known', async () => {
    const guessed = await tokensOf(undefined);
    assert.ok(guessed.usual > 30_000 && guessed.usual < 40_000, `a guess of eight turns: ${guessed.usual}`);
    for (const before of [350, 9_000, 120_000]) {
      const { low, usual, high } = await tokensOf(before);
      assert.ok(Math.abs(usual - before) <= 2 && low <= usual, `${low} ${usual}, and it took ${before}`);
      assert.equal(high, guessed.high, 'the most stays what an attempt may take');
    }
    const scripted = await tokensOf(undefined, true);
    assert.ok(scripted.usual < 1_000, `the scripted agent reads once: ${scripted.usual}`);
  });

  it('is told by runs of the same target alone, the last five', () => {
    const runs = [run('a', 2, 600), run('b', 1, 90_000), run('a', 1, 300), emptySummary('c', 0)];
    assert.equal(agentTokensOf(runs, 'a'), 300);
    assert.equal(agentTokensOf(runs, 'z'), undefined);
    const many = [...Array.from({ length: 5 }, () => run('a', 1, 100)), run('a', 1, 1_000_000)];
    assert.equal(agentTokensOf(many, 'a'), 100);
  });

  it('is no shorter for one attempt where several could work side by side', async () => {
    const { bound, models } = await boundOf({ minutes: 3 });
    const { minutes } = timed(sizeOf(bound, models, undefined), pace, { concurrency: 8, longestMs: 600_000 });
    assert.ok(minutes.high >= 3 && minutes.high < 4, String(minutes.high));
  });
});

function run(target: string, attempts: number, tokens: number): RunSummary {
  const models = { target, optimizer: 'o', judge: 'j', simulated: false };
  return { ...emptySummary('r', 0), models, agentWork: { attempts, tokens } };
}

async function tokensOf(agentTokens: number | undefined, simulated = false) {
  const { bound, models } = await boundOf({}, { agentTokens, simulated });
  const { tokens, usual } = sizeOf(bound, models, undefined);
  return { low: tokens.low, usual: usual.tokens, high: tokens.high };
}

async function boundOf(
  limits: object,
  { agentTokens, simulated = false }: { readonly agentTokens?: number | undefined; readonly simulated?: boolean } = {},
) {
  const model = new ScriptedModel();
  const real = { identity: { ...model.identity, simulated }, complete: model.complete.bind(model) };
  const models = { target: real, judge: real, optimizer: real };
  const agent = { fixture: 'evals/shop', mode: 'offered', ...limits } as const;
  const task = aTask({ environment: 'agent', agent, expectations: [] });
  const options = resolveOptions('standard', []);
  const input = { text: 'A skill.', folder: '/skill', programs: new Map(), options, models, agentTokens };
  return { bound: (await attemptBounds(input, [task])).of(task), models };
}
