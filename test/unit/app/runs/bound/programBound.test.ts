import assert from 'node:assert/strict';
import { attemptBounds } from '../../../../../src/app/runs/bound/attemptBound.js';
import type { CallBound } from '../../../../../src/app/runs/bound/callBound.js';
import { resolveOptions } from '../../../../../src/engine/runOptions.js';
import { aTask } from '../../../../builders/aTask.js';
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
