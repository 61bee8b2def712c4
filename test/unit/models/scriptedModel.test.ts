import assert from 'node:assert/strict';
import { ModelError, type ModelErrorKind } from '../../../src/errors.js';
import { ScriptedModel, aReply, aRequest, type ScriptedAnswer } from '../../fakes/ScriptedModel.js';
import { modelContract, type Behaviour, type Fault } from './modelContract.js';

modelContract('the scripted model', async () => {
  let answer: ScriptedAnswer = 'Nothing arranged.';
  const model = new ScriptedModel().when('', () => answer);
  return {
    model,
    calls: () => model.requests.length,
    arrange: (behaviour) => {
      answer = answerFor(behaviour);
    },
    stop: async () => undefined,
  };
});

describe('the scripted model', () => {
  it('fails on a request that the script does not foresee, and prints the prompt', async () => {
    const model = new ScriptedModel().when('weather', 'Rain.');
    const request = aRequest({ messages: [{ role: 'user', content: 'What is the time?' }] });
    await assert.rejects(
      model.complete(request, new AbortController().signal),
      /no answer to:[\s\S]*What is the time\?/,
    );
  });

  it('answers by the first rule that matches', async () => {
    const model = new ScriptedModel().when(({ role }) => role === 'judge', '5').when('', 'Rain.');
    const { signal } = new AbortController();
    assert.equal((await model.complete(aRequest({ role: 'judge' }), signal)).text, '5');
    assert.equal((await model.complete(aRequest(), signal)).text, 'Rain.');
  });
});

const kinds: Readonly<Record<Fault, ModelErrorKind>> = {
  'rate-limit': 'rate-limit',
  'server-error': 'unavailable',
  malformed: 'malformed',
  disconnect: 'unavailable',
  empty: 'malformed',
};

function answerFor(behaviour: Behaviour): ScriptedAnswer {
  switch (behaviour.kind) {
    case 'answer':
      return behaviour.text;
    case 'cut':
      return aReply({ text: behaviour.text, finish: 'length' });
    case 'tool-call':
      return aReply({ toolCalls: [{ id: '1', ...behaviour.call }] });
    case 'echo':
      return ({ messages }) => messages.at(-1)?.content ?? '';
    case 'late':
      return async () => {
        await new Promise((resolve) => setTimeout(resolve, behaviour.ms).unref());
        return 'Late.';
      };
    case 'fault':
      return new ModelError(kinds[behaviour.fault], behaviour.fault);
  }
}
