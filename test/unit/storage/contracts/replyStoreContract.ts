import assert from 'node:assert/strict';
import type { ModelReply } from '../../../../src/ports/languageModel.js';
import type { ReplyStore } from '../../../../src/ports/stores.js';
import { someWork } from '../../../builders/someWork.js';

/** What every store of replies keeps to. `reopen` gives the same store as a later process would see it. */
export function replyStoreContract(
  name: string,
  make: () => Promise<{ readonly store: ReplyStore; readonly reopen: () => Promise<ReplyStore> }>,
): void {
  describe(`${name}, as a store of replies`, () => {
    it('has nothing under a key that was never stored', async () => {
      const { store } = await make();
      assert.equal(await store.get('none'), undefined);
    });

    it('gives a stored reply back, marked as free of cost, also later', async () => {
      const { store, reopen } = await make();
      await store.put('key', aReply());
      const later = await reopen();
      for (const each of [store, later]) assert.deepEqual(await each.get('key'), { ...aReply(), cached: true });
    });

    it('keeps replies apart by their whole key', async () => {
      const { store } = await make();
      const keys = ['a', 'A', 'a/b', '../a', 'a'.repeat(5000), '漢'];
      for (const key of keys) await store.put(key, aReply({ text: key }));
      for (const key of keys) assert.equal((await store.get(key))?.text, key);
    });

    it('keeps the newest reply of a key', async () => {
      const { store } = await make();
      await store.put('key', aReply({ text: 'first' }));
      await store.put('key', aReply({ text: 'second' }));
      assert.equal((await store.get('key'))?.text, 'second');
    });

    it('keeps a reply without text that calls tools', async () => {
      const { store } = await make();
      const reply = aReply({ text: '', finish: 'tool-calls', toolCalls: [{ id: '1', name: 'look', arguments: '{' }] });
      await store.put('key', reply);
      assert.deepEqual(await store.get('key'), { ...reply, cached: true });
    });

    it('keeps what an agent did and left behind', async () => {
      const { store, reopen } = await make();
      const work = someWork({
        events: [
          { kind: 'user', text: 'Mend it.' },
          { kind: 'skill', name: 'mending', how: 'read' },
          { kind: 'tool', name: 'shell', input: 'npm test', output: 'ok', ok: true, command: 'npm test' },
          { kind: 'usage', inputTokens: 5, outputTokens: 2 },
          { kind: 'end', ok: true, reason: 'done' },
        ],
        diff: '+one',
        changed: [{ path: 'a.js', change: 'changed' }],
        judged: [{ kind: 'exited', code: 1, output: 'no', errorOutput: '' }, { kind: 'timed-out' }],
        touched: [{ canary: 'file', seenIn: 'diff' }],
        refusedHosts: ['elsewhere.test'],
      });
      await store.put('key', aReply({ work }));
      assert.deepEqual((await (await reopen()).get('key'))?.work, work);
    });

    it('never holds an empty reply', async () => {
      const { store } = await make();
      await assert.rejects(store.put('key', aReply({ text: '' })), TypeError);
      assert.equal(await store.get('key'), undefined);
    });
  });
}

export function aReply(more: Partial<ModelReply> = {}): ModelReply {
  return {
    text: 'answer',
    finish: 'stop',
    toolCalls: [],
    usage: { inputTokens: 10, outputTokens: 2, exact: true },
    cached: false,
    ...more,
  };
}
