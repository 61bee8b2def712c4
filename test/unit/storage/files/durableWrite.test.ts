import assert from 'node:assert/strict';
import { chmod, lstat, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { durableWrite } from '../../../../src/storage/files/durableWrite.js';
import { aMachine, scrapMachines } from '../../../builders/storage.js';
import { withFaultyDisk } from '../../../fakes/faultyDisk.js';
import { messageOf } from '../../../../src/errors.js';

describe('a durable write', () => {
  after(scrapMachines);

  it('replaces the bytes, keeps the mode and leaves nothing beside them', async () => {
    const { home } = await aMachine();
    const file = path.join(home, 'file');
    await writeFile(file, 'old');
    await chmod(file, 0o751);
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x0d, 0x0a, 0x00, 0xff]);
    await durableWrite(file, bytes);
    assert.deepEqual(await readFile(file), bytes);
    assert.equal((await stat(file)).mode & 0o7777, 0o751);
    assert.deepEqual(await readdir(home), ['file']);
  });

  it('passes its points in order', async () => {
    const { home } = await aMachine();
    const points: string[] = [];
    await durableWrite(path.join(home, 'file'), 'x', { probe: (point) => points.push(point) });
    assert.deepEqual(points, ['write', 'written', 'fsync', 'rename', 'renamed']);
  });

  it('replaces a link instead of writing where it points', async () => {
    const { home } = await aMachine();
    const [link, target] = [path.join(home, 'link'), path.join(home, 'target')];
    await writeFile(target, 'untouched');
    await symlink(target, link);
    await durableWrite(link, 'new');
    assert.equal(await readFile(target, 'utf8'), 'untouched');
    assert.ok((await lstat(link)).isFile());
  });

  it('leaves the old file and no draft when it is stopped before the rename', async () => {
    const { home } = await aMachine();
    const file = path.join(home, 'file');
    await writeFile(file, 'old');
    const stop = new Error('stop');
    await assert.rejects(durableWrite(file, 'new', { beforeRename: () => Promise.reject(stop) }), stop);
    assert.equal(await readFile(file, 'utf8'), 'old');
    assert.deepEqual(await readdir(home), ['file']);
  });

  it('gives a reader the old bytes or the new ones, whole, at every moment', async () => {
    const { home } = await aMachine();
    const file = path.join(home, 'file');
    const texts = ['a', 'b'].map((letter) => letter.repeat(200_000));
    await writeFile(file, texts[0] ?? '');
    const writes = (async () => {
      for (let round = 0; round < 20; round += 1) await durableWrite(file, texts[round % 2] ?? '');
      return 'done';
    })();
    for (;;) {
      assert.ok(texts.includes(await readFile(file, 'utf8')));
      if ((await Promise.race([writes, Promise.resolve('writing')])) === 'done') break;
    }
  });

  it('lets many write at once without mixing them', async () => {
    const { home } = await aMachine();
    const file = path.join(home, 'file');
    const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(1000));
    await Promise.all(texts.map((text) => durableWrite(file, text)));
    assert.ok(texts.includes(await readFile(file, 'utf8')));
    assert.deepEqual(await readdir(home), ['file']);
  });

  it('says why it failed, not that its draft could not be taken away', async () => {
    const { home } = await aMachine();
    const file = path.join(home, 'file');
    const failed = withFaultyDisk(home, 'EROFS', () => durableWrite(file, 'new'));
    await assert.rejects(failed, { code: 'EROFS', syscall: 'open' });
    const said = await failed.catch((error: unknown) => messageOf(error));
    assert.match(String(said), /^The disk is read-only \(.*\)\.$/u);
  });
});
