import assert from 'node:assert/strict';
import { redactedReplies } from '../../../../src/models/wrappers/redactedReplies.js';
import { createRedactor } from '../../../../src/redaction/redactor.js';
import { openReplies } from '../../../../src/storage/runs/replies.js';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { aMachine, aStore, scrapMachines } from '../../../builders/storage.js';
import { someWork } from '../../../builders/someWork.js';
import { aReply } from '../../../fakes/ScriptedModel.js';

const token = `ghp_${'a1B2'.repeat(9)}`;

describe('replies that hold secrets', () => {
  after(scrapMachines);

  it('lie on disk without them, and are read as they were, also by a later process', async () => {
    const store = await aStore(await aMachine());
    const reply = aReply({
      text: `Use ${token}, and “REDACTED_jwt_0123456789ab” as it is.`,
      toolCalls: [{ id: '1', name: 'deploy', arguments: JSON.stringify({ token }) }],
      work: someWork({ diff: `+key=${token}`, events: [{ kind: 'assistant', text: `It is ${token}.` }] }),
    });
    await redactedReplies(openReplies(store), createRedactor({ key: 'k' })).put('key', reply);
    const folder = path.join(store.folder, 'replies');
    const texts = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')));
    assert.equal(texts.length, 1);
    assert.ok(!texts.join('').includes(token));
    const later = redactedReplies(openReplies(store), createRedactor({ key: 'k' }));
    assert.deepEqual(await later.get('key'), { ...reply, cached: true });
  });

  it('are stored as ever where they hold none', async () => {
    const store = await aStore(await aMachine());
    const plain = redactedReplies(openReplies(store), createRedactor({ key: 'k' }));
    await plain.put('key', aReply({ text: 'Nothing.' }));
    assert.deepEqual(await openReplies(store).get('key'), { ...aReply({ text: 'Nothing.' }), cached: true });
  });
});
