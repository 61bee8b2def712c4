import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../../src/ports/languageModel.js';
import { replyKey } from '../../../../src/models/wrappers/replyKey.js';
import { aRequest } from '../../../fakes/ScriptedModel.js';

describe('reply key', () => {
  const identity = { provider: 'p', endpoint: 'e', model: 'm', simulated: false };
  const request = aRequest({ temperature: 0.5, tools: [{ name: 't', description: 'd', parameters: { b: 1, a: 2 } }] });
  const key = replyKey(identity, request);

  const differences: readonly [name: string, change: Partial<ModelRequest>][] = [
    ['the role', { role: 'judge' }],
    ['the attempt', { attempt: 1 }],
    ['the limit', { maxOutputTokens: 101 }],
    ['the temperature', { temperature: 0.6 }],
    ['a message', { messages: [{ role: 'user', content: 'A question?' }] }],
    ['the role of a message', { messages: [{ role: 'system', content: 'A question.' }] }],
    ['the order of messages', { messages: [{ role: 'user', content: '' }, ...request.messages] }],
    ['the tools', { tools: [{ name: 't', description: 'd', parameters: { b: 1, a: 3 } }] }],
    ['the schema', { replySchema: { name: 's', schema: {} } }],
    ['what it depends on', { dependsOn: ['fixture'] }],
  ];
  for (const [name, change] of differences) {
    it(`differs with ${name}`, () => assert.notEqual(replyKey(identity, { ...request, ...change }), key));
  }

  for (const change of [{ provider: 'q' }, { endpoint: 'f' }, { model: 'n' }, { simulated: true }]) {
    it(`differs with the model’s ${Object.keys(change).join()}`, () =>
      assert.notEqual(replyKey({ ...identity, ...change }, request), key));
  }

  it('differs with options that only the adapter knows', () =>
    assert.notEqual(replyKey(identity, request, { reasoning_effort: 'low' }), key));

  it('is the same for the same request with its properties in another order', () => {
    const other: ModelRequest = {
      attempt: 0,
      temperature: 0.5,
      maxOutputTokens: 100,
      tools: [{ parameters: { a: 2, b: 1 }, description: 'd', name: 't' }],
      messages: request.messages,
      role: 'target',
    };
    assert.equal(replyKey({ simulated: false, model: 'm', endpoint: 'e', provider: 'p' }, other), key);
  });

  it('stays what it is, or every stored reply is lost', () =>
    assert.equal(replyKey(identity, aRequest()), '16e419f52267bf9b10a73516480528b0d64e1d593840d6c3f249361d593fe931'));
});
