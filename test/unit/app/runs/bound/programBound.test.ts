import assert from 'node:assert/strict';
import { attemptBounds } from '../../../../../src/app/runs/bound/attemptBound.js';
import type { CallBound } from '../../../../../src/app/runs/bound/callBound.js';
import { boundOfRun } from '../../../../../src/app/runs/bound/runBound.js';
import { resolveOptions } from '../../../../../src/engine/runOptions.js';
import { aTask, aTrainingTask } from '../../../../builders/aTask.js';
import { ScriptedModel } from '../../../../fakes/ScriptedModel.js';

describe('what an attempt in an environment of one’s own may take', () => {
  it('is nothing where it may not ask the target, and nobody judges for it', async () => {
    const { most } = await boundWith(undefined);
    assert.deepEqual([most.target.calls, most.judge.calls], [0, 0]);
  });

  it('is every call that it may make, each as long as it may be', async () => {
    const { least, usual, most } = await boundWith({ calls: 50, kilobytes: 32 });
    assert.deepEqual([least.target.calls, usual.target.calls, most.target.calls], [0, 1, 50]);
    assert.equal(most.target.outputTokens, 50 * 16_384);
    assert.ok(most.target.inputTokens >= 50 * 32 * 1024);
  });

  it('is the judge too, who is asked where it gives no scores', async () => {
    const { usual, most } = await boundWith(undefined, ['It is polite.']);
    assert.deepEqual([usual.judge.calls, most.judge.calls > 0], [0, true]);
  });
});

describe('what the optimizer may be asked where an environment has edits of its own', () => {
  it('is one merge more in each step, and its words in each question; nothing where it has none', async () => {
    const [silent, speaking, registered] = await Promise.all([
      optimizerWith([]),
      optimizerWith(['post']),
      optimizerWith(),
    ]);
    const more = speaking.calls - silent.calls;
    assert.ok(more > 0);
    assert.deepEqual(speaking, registered, 'nobody declares what an extension brings');
    assert.ok(speaking.inputTokens - silent.inputTokens >= speaking.calls * 20_000);
    const twice = await optimizerWith(['post'], { train: { epochs: 2 } });
    const once = await optimizerWith([], { train: { epochs: 2 } });
    assert.deepEqual([more, twice.calls - once.calls], [8, 4], 'four epochs of one step, each asked for once more');
  });
});

/** The most for a run on a task of `post`: declared, and speaking or not; or of an extension. */
async function optimizerWith(speaking?: readonly string[], settings: Readonly<Record<string, unknown>> = {}) {
  const model = new ScriptedModel();
  const input = {
    text: 'A skill.',
    folder: '/skill',
    programs: new Map(speaking === undefined ? [] : [['post', undefined]]),
    options: resolveOptions('standard', [settings]),
    models: { target: model, judge: model, optimizer: model },
    ...(speaking === undefined ? {} : { speaking }),
  };
  const split = { training: [aTrainingTask({ environment: 'post' })], heldOut: [], sealed: [] };
  const size = { stages: 1, moreTraining: { low: 0, high: 0 }, memory: '', comparesNights: false };
  return (await boundOfRun(input, split, size)).whole.most.optimizer;
}

async function boundWith(
  limits: { readonly calls: number; readonly kilobytes: number } | undefined,
  expectations: readonly string[] = [],
): Promise<CallBound> {
  const model = new ScriptedModel();
  const task = aTask({ environment: 'post', expectations: [...expectations], checks: [] });
  const input = {
    text: 'A skill.',
    folder: '/skill',
    programs: new Map([['post', limits]]),
    options: resolveOptions('standard', []),
    models: { target: model, judge: model },
  };
  return (await attemptBounds(input, [task])).of(task);
}
