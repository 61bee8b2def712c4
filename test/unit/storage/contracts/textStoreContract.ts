import assert from 'node:assert/strict';
import type { TextStore } from '../../../../src/ports/stores.js';

/** What every store of texts keeps to. */
export function textStoreContract(name: string, make: () => Promise<TextStore>): void {
  describe(`${name}, as a store of texts`, () => {
    for (const text of ['answer', '', 'a\r\nb\uFEFF', '漢😀', 'x'.repeat(100_000)]) {
      it(`gives a text of ${text.length} characters back by its hash`, async () => {
        const store = await make();
        assert.equal(await store.get(await store.put(text)), text);
      });
    }

    it('names equal texts equally and others otherwise', async () => {
      const store = await make();
      const [first, again, other] = [await store.put('a'), await store.put('a'), await store.put('b')];
      assert.equal(again, first);
      assert.notEqual(other, first);
    });

    it('has nothing under a hash that was never given', async () => {
      const store = await make();
      for (const hash of ['0'.repeat(64), '', '../../etc/passwd']) assert.equal(await store.get(hash), undefined);
    });
  });
}
