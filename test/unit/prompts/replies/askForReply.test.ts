import assert from 'node:assert/strict';
import * as z from 'zod';
import { replyKeys } from '../../../../src/models/wrappers/replyKey.js';
import { withCache } from '../../../../src/models/wrappers/composeModel.js';
import { askForReply } from '../../../../src/prompts/replies/askForReply.js';
import { parseReply, type ParsedReply } from '../../../../src/prompts/replies/parseReply.js';
import { MemoryReplyStore } from '../../../fakes/MemoryReplyStore.js';
import { aReply, aRequest, ScriptedModel } from '../../../fakes/ScriptedModel.js';

const request = { ...aRequest(), replySchema: { name: 'edits', schema: { type: 'object' } } };
const { signal } = new AbortController();
const read = (text: string): ParsedReply<{ edits: unknown[] }> =>
  parseReply(text, z.object({ edits: z.array(z.unknown()) }));

describe('a reply of a form', () => {
  it('is asked for again once where the stored one cannot be read, and takes its place', async () => {
    const { model, ask } = await poisoned('```a\n'.repeat(80_000), '{"edits":[]}');
    assert.equal((await ask()).parsed.kind, 'parsed');
    assert.equal((await ask()).parsed.kind, 'parsed');
    assert.equal(model.requests.length, 1);
  });

  it('is asked for no more than once where the new one cannot be read either', async () => {
    const { model, ask } = await poisoned('No.', 'Never.');
    const { text, parsed } = await ask();
    assert.deepEqual([text, parsed.kind, model.requests.length], ['Never.', 'malformed', 1]);
  });

  it('is not asked for again where it was just given', async () => {
    const model = new ScriptedModel().when('question', 'No.');
    assert.equal((await askForReply(model, request, read, signal)).parsed.kind, 'malformed');
    assert.equal(model.requests.length, 1);
  });
});

async function poisoned(stored: string, answer: string) {
  const model = new ScriptedModel().when('question', answer);
  const keyOf = replyKeys(model.identity);
  const store = new MemoryReplyStore();
  await store.put(keyOf(request), aReply({ text: stored }));
  const cached = withCache(model, { store, keyOf });
  return { model, ask: () => askForReply(cached, request, read, signal) };
}
