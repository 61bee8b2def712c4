import assert from 'node:assert/strict';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openStateKey } from '../../../../src/storage/state/stateKey.js';
import { aMachine, scrapMachines } from '../../../builders/storage.js';

describe('the state key', () => {
  after(scrapMachines);

  it('is made once, even by many at the same time, and leaves no draft behind', async () => {
    const { home } = await aMachine();
    const keys = await Promise.all(Array.from({ length: 40 }, (_, index) => later(index, () => openStateKey(home))));
    assert.equal(new Set(keys.map((key) => key.mac('x'))).size, 1);
    assert.deepEqual(await readdir(home), ['state.key']);
  });

  it('is closed to others, also when somebody opened it', async () => {
    const { home } = await aMachine();
    const file = path.join(home, 'state.key');
    await openStateKey(home);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await chmod(file, 0o644);
    await openStateKey(home);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it('does not show itself', async () => {
    const { home } = await aMachine();
    const key = await openStateKey(home);
    const secret = /[0-9a-f]{64}/.exec(await readFile(path.join(home, 'state.key'), 'utf8'))?.[0];
    assert.ok(secret !== undefined);
    assert.ok(!JSON.stringify(key).includes(secret));
    assert.ok(!String(Object.values(key)).includes(secret));
  });

  it('hides a text from whoever does not hold it, and gives equal texts equal bytes', async () => {
    const [key, other] = await Promise.all([aMachine(), aMachine()].map(async (one) => openStateKey((await one).home)));
    assert.ok(key !== undefined && other !== undefined);
    for (const text of ['', 'Kx92mQp7', 'ключ 密码\n'.repeat(100)]) {
      const hidden = key.encrypt(text);
      assert.equal(hidden, key.encrypt(text));
      assert.equal(key.decrypt(hidden), text);
      assert.equal(other.decrypt(hidden), undefined);
      const [first = '', ...rest] = hidden;
      assert.equal(key.decrypt((first === 'A' ? 'B' : 'A') + rest.join('')), undefined);
    }
    assert.equal(key.decrypt('nonsense'), undefined);
  });

  it('is never replaced when it is broken, and says what to do', async () => {
    const { home } = await aMachine();
    await writeFile(path.join(home, 'state.key'), '{}');
    await assert.rejects(openStateKey(home), { code: 'store-unusable' });
    assert.equal(await readFile(path.join(home, 'state.key'), 'utf8'), '{}');
  });
});

/** Starts the work so many turns of the event loop later: those who come at once then meet at every step. */
async function later<T>(turns: number, work: () => Promise<T>): Promise<T> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return work();
}
