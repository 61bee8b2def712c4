import assert from 'node:assert/strict';
import { writeBehindTexts, redactedTexts } from '../../../../src/app/runs/runTexts.js';
import { MemoryTextStore } from '../../../fakes/MemoryTextStore.js';
import { createRedactor } from '../../../../src/redaction/redactor.js';
import { sha256 } from '../../../../src/hash.js';

describe('texts that are written later', () => {
  it('have their hash at once, and can be read before they are written', async () => {
    const disk = aSlowStore();
    const texts = writeBehindTexts(disk.store);
    const hash = await texts.put('alpha');
    assert.equal(disk.memory.texts.size, 0);
    assert.equal(await texts.get(hash), 'alpha');
    disk.open();
    await texts.settled();
    assert.equal(disk.memory.texts.get(hash), 'alpha');
    assert.equal(await texts.get(hash), 'alpha');
  });

  it('are written once, however often they are put', async () => {
    const disk = aSlowStore();
    const texts = writeBehindTexts(disk.store);
    await Promise.all([texts.put('alpha'), texts.put('alpha'), texts.put('beta')]);
    disk.open();
    await texts.settled();
    await texts.put('alpha');
    assert.equal(disk.puts, 2);
  });

  it('say at the end where one could not be written', async () => {
    const texts = writeBehindTexts({
      put: () => Promise.reject(new Error('the disk is full')),
      get: () => Promise.resolve(undefined),
    });
    await texts.put('alpha');
    await assert.rejects(texts.settled(), /the disk is full/);
  });
});

function aSlowStore() {
  const memory = new MemoryTextStore();
  const gate = new AbortController();
  const opened = new Promise<void>((resolve) => gate.signal.addEventListener('abort', () => resolve()));
  const disk = {
    memory,
    puts: 0,
    open: () => gate.abort(),
    store: {
      put: async (text: string): Promise<string> => {
        disk.puts++;
        await opened;
        return memory.put(text);
      },
      get: (hash: string) => memory.get(hash),
    },
  };
  return disk;
}

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
