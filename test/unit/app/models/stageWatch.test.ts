import assert from 'node:assert/strict';
import { StageWatch } from '../../../../src/app/models/stageWatch.js';
import type { Stage } from '../../../../src/engine/journal/runEvents.js';
import { ModelError } from '../../../../src/errors.js';
import { aRequest, ScriptedModel } from '../../../fakes/ScriptedModel.js';

const neverAborted = new AbortController().signal;

describe('the watch over the stages of a run', () => {
  for (const [stage, expected] of [
    ['slow-update', undefined],
    ['meta-skill', undefined],
    ['rollout', 'given-up'],
  ] as const)
    it(`${expected === undefined ? 'forgets' : 'keeps'} what failed in the stage ${stage} when another begins`, async () => {
      assert.equal((await afterFailing(stage))?.kind, expected);
    });

  it('says with a cap why calls failed that it was used up by, and nothing of those before an answer', async () => {
    const failed = new ModelError('malformed', 'It asked for a tool.');
    const cap = new ModelError('cap', 'The next call could pass the cap of 2 calls.', { cure: 'Raise the cap.' });
    const replies = [failed, cap, 'Yes.', cap];
    const bare = new ScriptedModel().when(
      () => true,
      () => replies.shift() ?? 'No.',
    );
    const watch = new StageWatch();
    const model = watch.over(bare, bare, (request, signal) => bare.complete(request, signal));
    watch.begin('rollout');
    const ask = () => model.complete(aRequest(), neverAborted);
    watch.note({ outcome: { kind: 'failed', error: 'malformed', usage: undefined } });
    await assert.rejects(ask, failed);
    await assert.rejects(ask, {
      kind: 'cap',
      message: 'The next call could pass the cap of 2 calls. Before that a call failed: It asked for a tool.',
      cure: 'Raise the cap.',
    });
    await ask();
    await assert.rejects(ask, cap);
  });
});

/** Why a run ends after a question that failed, and a stage in which nobody was asked. */
async function afterFailing(stage: Stage): Promise<ModelError | undefined> {
  const bare = new ScriptedModel().when(() => true, new ModelError('malformed', 'The answer is too long.'));
  const watch = new StageWatch();
  const model = watch.over(bare, bare, (request, signal) => bare.complete(request, signal));
  watch.begin(stage);
  const request = { role: 'optimizer' as const, messages: [], maxOutputTokens: 1, attempt: 1 };
  await assert.rejects(() => model.complete(request, neverAborted), /too long/u);
  watch.begin('reflect');
  return watch.silence(1, neverAborted);
}
