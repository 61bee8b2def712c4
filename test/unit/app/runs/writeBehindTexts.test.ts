import assert from 'node:assert/strict';
import { writeBehindTexts } from '../../../../src/app/runs/writeBehindTexts.js';
import { MemoryTextStore } from '../../../fakes/MemoryTextStore.js';

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
