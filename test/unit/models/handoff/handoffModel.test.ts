import assert from 'node:assert/strict';
import { createHandoffModel, inRun } from '../../../../src/models/handoff/handoffModel.js';
import { findPrice } from '../../../../src/models/prices.js';
import { usageOfFailure } from '../../../../src/models/wrappers/failedCall.js';
import { worstUsage } from '../../../../src/models/tokens.js';
import type { HandoffPrompts } from '../../../../src/ports/handoff.js';
import { ModelError } from '../../../../src/errors.js';
import { aRequest, ScriptedModel } from '../../../fakes/ScriptedModel.js';
import { modelContract } from '../modelContract.js';

const neverAborted = new AbortController().signal;

// A person is not told what to do by a program: they answer, or have not answered yet.
modelContract(
  'handoff',
  async () => {
    let said: string | undefined;
    let calls = 0;
    const prompts: HandoffPrompts = {
      ask: async ({ request }) => {
        calls += 1;
        return { kind: 'answered', text: said ?? request.messages.map(({ content }) => content).join('\n') };
      },
    };
    return {
      model: createHandoffModel('handoff', prompts),
      calls: () => calls,
      arrange: (behaviour) => {
        said = behaviour.kind === 'answer' ? behaviour.text : undefined;
      },
      stop: async () => undefined,
    };
  },
  { beyond: ['tool-call', 'cut', 'late', 'rate-limit', 'server-error', 'malformed', 'disconnect', 'empty'] },
);

describe('the model that somebody answers by hand', () => {
  const waiting = createHandoffModel('handoff', { ask: async () => ({ kind: 'waiting' }) });

  it('says that an answer is awaited, which is no call and costs nothing', async () => {
    const error: unknown = await waiting.complete(aRequest(), neverAborted).catch((each: unknown) => each);
    assert.ok(error instanceof ModelError && error.kind === 'waiting');
    assert.equal(usageOfFailure(error, worstUsage(aRequest())), undefined);
    assert.deepEqual(findPrice(waiting.identity)?.input, 0);
  });

  it('marks what an answer used as an estimate', async () => {
    const model = createHandoffModel('handoff', { ask: async () => ({ kind: 'answered', text: 'Forty-two.' }) });
    const { usage } = await model.complete(aRequest(), neverAborted);
    assert.deepEqual([usage.exact, usage.outputTokens], [false, 3]);
    assert.ok(usage.inputTokens > 0);
  });

  it('refuses tasks with tools, and to answer outside of a run', async () => {
    const tools = [{ name: 'look_up', description: '', parameters: {} }];
    await assert.rejects(waiting.complete(aRequest({ tools }), neverAborted), { code: 'environment-refused' });
    await assert.rejects(createHandoffModel('handoff').complete(aRequest(), neverAborted), {
      code: 'model-not-chosen',
    });
  });

  it('takes the place of itself alone in a run', () => {
    const other = new ScriptedModel();
    assert.equal(inRun(other, { ask: async () => ({ kind: 'waiting' }) }), other);
  });
});
