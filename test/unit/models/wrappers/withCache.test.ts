import assert from 'node:assert/strict';
import { ModelError } from '../../../../src/errors.js';
import { replyKeys } from '../../../../src/models/wrappers/replyKey.js';
import { withCache } from '../../../../src/models/wrappers/composeModel.js';
import type { ReplyStore } from '../../../../src/ports/stores.js';
import { MemoryReplyStore } from '../../../fakes/MemoryReplyStore.js';
import { ScriptedModel, aReply, aRequest } from '../../../fakes/ScriptedModel.js';

const { signal } = new AbortController();
const keyOf = replyKeys(new ScriptedModel().identity);

describe('withCache', () => {
  it('asks once, and says the second time that the reply was stored', async () => {
    const model = new ScriptedModel().when('question', 'Yes.');
    const cached = withCache(model, { store: new MemoryReplyStore(), keyOf });
    const first = await cached.complete(aRequest(), signal);
    const second = await cached.complete(aRequest(), signal);
    assert.deepEqual([first.text, first.cached, second.text, second.cached], ['Yes.', false, 'Yes.', true]);
    assert.equal(model.requests.length, 1);
  });

  it('asks anew for a reply that could not be read, under the same name, and keeps the new one', async () => {
    const texts = ['No.', 'Yes.'];
    const model = new ScriptedModel().when('question', () => texts.shift() ?? 'Never.');
    const cached = withCache(model, { store: new MemoryReplyStore(), keyOf });
    await cached.complete(aRequest(), signal);
    assert.equal((await cached.complete(aRequest({ again: true }), signal)).text, 'Yes.');
    assert.equal((await cached.complete(aRequest(), signal)).text, 'Yes.');
    assert.ok(model.requests.every((request) => !('again' in request)));
  });

  it('asks anew for another attempt at the same question', async () => {
    const model = new ScriptedModel().when('question', 'Yes.');
    const cached = withCache(model, { store: new MemoryReplyStore(), keyOf });
    await cached.complete(aRequest(), signal);
    await cached.complete(aRequest({ attempt: 1 }), signal);
    assert.equal(model.requests.length, 2);
  });

  it('stores a reply before anyone can use it', async () => {
    const order: string[] = [];
    const store: ReplyStore = {
      get: async () => undefined,
      put: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push('stored');
      },
    };
    await withCache(new ScriptedModel().when('question', 'Yes.'), { store, keyOf })
      .complete(aRequest(), signal)
      .then(() => order.push('used'));
    assert.deepEqual(order, ['stored', 'used']);
  });

  it('keeps neither failures nor empty replies', async () => {
    const store = new MemoryReplyStore();
    const failing = new ScriptedModel().when('question', new ModelError('timeout', 'late'));
    await assert.rejects(withCache(failing, { store, keyOf }).complete(aRequest(), signal), { kind: 'timeout' });
    const empty = new ScriptedModel().when('question', { text: ' \n' });
    await withCache(empty, { store, keyOf }).complete(aRequest(), signal);
    assert.equal(store.replies.size, 0);
  });

  it('keeps tool calls, which have no text', async () => {
    const store = new MemoryReplyStore();
    const model = new ScriptedModel().when(
      'question',
      aReply({ toolCalls: [{ id: '1', name: 'look', arguments: '{}' }] }),
    );
    await withCache(model, { store, keyOf }).complete(aRequest(), signal);
    assert.equal(store.replies.size, 1);
  });

  it('does not answer once aborted, not even from the store', async () => {
    const cached = withCache(new ScriptedModel().when('question', 'Yes.'), { store: new MemoryReplyStore(), keyOf });
    await cached.complete(aRequest(), signal);
    await assert.rejects(cached.complete(aRequest(), AbortSignal.abort(new Error('stop'))), /stop/);
  });
});
