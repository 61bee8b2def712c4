import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WriteBehind } from '../../../../src/storage/files/writeBehind.js';
import { DraftStock } from '../../../../src/storage/files/draftStock.js';
import { sweepLeftovers } from '../../../../src/storage/state/retention.js';
import { aMachine, scrapMachines } from '../../../builders/storage.js';

describe('a stock of drafts', () => {
  let home = '';
  let folder = '';
  let afterwards: WriteBehind;
  let stock: DraftStock;
  beforeEach(async () => {
    home = (await aMachine()).home;
    folder = path.join(home, 'kept');
    afterwards = new WriteBehind();
    stock = new DraftStock(home, folder, afterwards);
  });
  afterEach(() => stock.close());
  after(scrapMachines);

  it('makes no file before one is wanted', async () => {
    await wait(60);
    assert.throws(() => readdirSync(folder), { code: 'ENOENT' });
  });

  it('has none for the first, and says so', () => {
    assert.equal(stock.write(path.join(folder, 'first'), 'text'), false);
  });

  it('gives a file its content and its name at once, for this user alone', async () => {
    await filled();
    const file = path.join(folder, 'second');
    assert.equal(stock.write(file, 'wörter'), true);
    assert.equal(readFileSync(file, 'utf8'), 'wörter');
    assert.equal(statSync(file).mode & 0o077, 0);
  });

  it('replaces a file whole', async () => {
    await filled();
    const file = path.join(folder, 'old');
    await writeFile(file, 'a longer text that was there before');
    assert.equal(stock.write(file, 'new'), true);
    assert.equal(readFileSync(file, 'utf8'), 'new');
  });

  it('fills up again after a batch', async () => {
    await filled();
    const batch = (name: string): readonly boolean[] =>
      Array.from({ length: 16 }, (_, index) => stock.write(path.join(folder, `${name}${index}`), 'text'));
    assert.deepEqual(new Set(batch('a')), new Set([true]));
    assert.equal(stock.write(path.join(folder, 'too many'), 'text'), false);
    await afterwards.settled();
    assert.deepEqual(new Set(batch('b')), new Set([true]));
  });

  it('says no where the name cannot be given, and leaves nothing behind', async () => {
    await filled();
    const taken = path.join(folder, 'taken');
    await mkdir(path.join(taken, 'inside'), { recursive: true });
    assert.equal(stock.write(taken, 'text'), false);
    await stock.close();
    assert.deepEqual(drafts(), []);
  });

  it('goes on without drafts where its folder is gone', async () => {
    await filled();
    await rm(folder, { recursive: true });
    assert.equal(stock.write(path.join(folder, 'x'), 'text'), false);
  });

  it('takes its drafts away when it is closed', async () => {
    await filled();
    await stock.close();
    assert.deepEqual(readdirSync(folder), []);
  });

  it('leaves to a process that was killed only what is swept up', async () => {
    await filled();
    assert.equal(await sweepLeftovers(home, Date.now() + 60_000), 16);
  });

  async function filled(): Promise<void> {
    stock.write(path.join(folder, 'first'), 'text');
    await afterwards.settled();
  }

  function drafts(): readonly string[] {
    try {
      return readdirSync(folder).filter((name) => name.endsWith('.whetstone-tmp'));
    } catch {
      return [];
    }
  }
});
