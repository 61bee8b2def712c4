import assert from 'node:assert/strict';
import { createRedactor } from '../../../../src/redaction/redactor.js';
import { sha256 } from '../../../../src/hash.js';
import { redactedTexts } from '../../../../src/app/runs/redactedTexts.js';
import { MemoryTextStore } from '../../../fakes/MemoryTextStore.js';

const secret = `ghp_${'A1b2C3d4E5'.repeat(4).slice(0, 36)}`;

describe('texts that a run stores', () => {
  it('are stored without their secrets, under the hash of what is stored', async () => {
    const store = new MemoryTextStore();
    const texts = redactedTexts(store, createRedactor({ key: 'state', known: ['open sesame'] }));
    const hash = await texts.put(`The token is ${secret}, the word is open sesame.`);
    const stored = (await store.get(hash)) ?? '';
    assert.ok(!stored.includes(secret) && !stored.includes('open sesame'));
    assert.match(stored, /^The token is REDACTED_github-token_\w+, the word is REDACTED_\S+\.$/);
    assert.equal(sha256(stored), hash);
  });

  it('are found by the hash of what they were, for as long as the run lives', async () => {
    const texts = redactedTexts(new MemoryTextStore(), createRedactor({ key: 'state' }));
    const hash = await texts.put(secret);
    assert.notEqual(hash, sha256(secret));
    assert.equal(await texts.get(sha256(secret)), await texts.get(hash));
  });

  it('are as they are where nothing in them is secret', async () => {
    const texts = redactedTexts(new MemoryTextStore(), createRedactor({ key: 'state' }));
    assert.equal(await texts.put('Plain words.'), sha256('Plain words.'));
    assert.equal(await texts.get(sha256('Plain words.')), 'Plain words.');
  });
});
