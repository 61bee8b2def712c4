import assert from 'node:assert/strict';
import { linkSync, renameSync, symlinkSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { appendInside, removeInside, writeAllInside, writeInside } from '../../../../src/storage/files/writeInside.js';
import { aMachine, scrapMachines } from '../../../builders/storage.js';

describe('the door to the files of a workspace', () => {
  after(scrapMachines);

  it('writes a file and makes the folders above it', async () => {
    const { within } = await aPlace();
    const file = path.join(within, 'a', 'b', 'file.txt');
    await writeInside(within, file, 'text', { mode: 0o600 });
    assert.equal(await readFile(file, 'utf8'), 'text');
    assert.equal((await stat(path.dirname(file))).mode & 0o777, 0o700);
  });

  it('makes the folders of a file that others may read as open as the system lets it', async () => {
    const { within } = await aPlace();
    const [file, plain] = [path.join(within, 'open', 'file.txt'), path.join(within, 'plain')];
    await writeInside(within, file, 'text');
    await mkdir(plain);
    assert.equal((await stat(path.dirname(file))).mode, (await stat(plain)).mode);
  });

  it('says that a file stands where a folder should be', async () => {
    const { within } = await aPlace();
    await writeFile(path.join(within, 'runs'), 'a file');
    await assert.rejects(writeInside(within, path.join(within, 'runs', '1', 'file.txt'), 'text'), {
      code: 'store-unusable',
      message: `${path.join(within, 'runs', '1')} is no folder, and none can be made there: a file stands in the way.`,
      cure: 'Move that file away, then try again.',
    });
  });

  it('makes the folder itself anew where it is gone', async () => {
    const { within } = await aPlace();
    const gone = path.join(within, 'gone');
    await writeInside(gone, path.join(gone, 'a', 'file.txt'), 'text');
    assert.equal(await readFile(path.join(gone, 'a', 'file.txt'), 'utf8'), 'text');
  });

  it('writes many files, in the folder itself and beneath it', async () => {
    const { within } = await aPlace();
    const files = ['top.txt', 'a/one.txt', 'a/b/two.txt'].map((file) => path.join(within, file));
    await writeAllInside(within, new Map(files.map((file) => [file, 'text'])), {});
    assert.deepEqual(await Promise.all(files.map((file) => readFile(file, 'utf8'))), ['text', 'text', 'text']);
  });

  it('goes through a link that stays inside', async () => {
    const { within } = await aPlace();
    await mkdir(path.join(within, 'real'));
    await symlink('real', path.join(within, 'link'));
    await writeInside(within, path.join(within, 'link', 'file.txt'), 'text');
    assert.equal(await readFile(path.join(within, 'real', 'file.txt'), 'utf8'), 'text');
  });

  const linked: readonly { readonly name: string; readonly make: (place: Place) => Promise<string> }[] = [
    {
      name: 'a folder that is a link',
      make: async ({ within, outside }) => {
        await symlink(outside, path.join(within, 'out'));
        return path.join(within, 'out', 'file.txt');
      },
    },
    {
      name: 'a folder that would be made below a link',
      make: async ({ within, outside }) => {
        await symlink(outside, path.join(within, 'out'));
        return path.join(within, 'out', 'deep', 'file.txt');
      },
    },
    {
      name: 'a link to where nothing is yet',
      make: async ({ within, outside }) => {
        await symlink(path.join(outside, 'new'), path.join(within, 'out'));
        return path.join(within, 'out', 'file.txt');
      },
    },
    {
      name: 'the folder itself, since it became a link',
      make: async ({ within, outside }) => {
        await rename(within, `${within}-away`);
        await symlink(outside, within);
        return path.join(within, 'file.txt');
      },
    },
    {
      name: 'a folder in the folder itself, since that became a link',
      make: async ({ within, outside }) => {
        await rename(within, `${within}-away`);
        await symlink(outside, within);
        return path.join(within, 'a', 'file.txt');
      },
    },
    {
      name: 'a name that climbs',
      make: ({ within }) => Promise.resolve(path.join(within, '..', 'outside', 'file.txt')),
    },
  ];
  for (const { name, make } of linked) {
    it(`refuses ${name}`, async () => {
      const place = await aPlace();
      const file = await make(place);
      await assert.rejects(writeInside(place.within, file, 'text'), {
        code: 'leads-outside',
        message: / is or became a link that leads out of /,
        cure: 'Remove the link, or work on the files where it leads to.',
      });
      await assert.rejects(appendInside(place.within, file, 0o600), { code: 'leads-outside' });
      assert.deepEqual(await readdir(place.outside), []);
    });
  }

  it('leaves nothing outside where the folder becomes a link while the bytes are written', async () => {
    const { within, outside } = await aPlace();
    await mkdir(path.join(within, 'a'));
    const swap = async (): Promise<void> => {
      await rename(path.join(within, 'a'), path.join(within, 'b'));
      await symlink(outside, path.join(within, 'a'));
    };
    let swapped = Promise.resolve();
    const probe = (point: string): void => {
      if (point === 'fsync') swapped = swap();
    };
    await assert.rejects(writeInside(within, path.join(within, 'a', 'file.txt'), 'text', { probe }));
    await swapped;
    assert.deepEqual(await readdir(outside), []);
  });

  it('looks once more in the last moment: a draft that lies on both sides of the link is not given its name', async () => {
    const { within, outside } = await aPlace();
    const temporaryName = '.draft';
    await mkdir(path.join(within, 'a'));
    const probe = (point: string): void => {
      if (point !== 'fsync') return;
      renameSync(path.join(within, 'a'), path.join(within, 'b'));
      linkSync(path.join(within, 'b', temporaryName), path.join(outside, temporaryName));
      symlinkSync(outside, path.join(within, 'a'));
    };
    const written = writeInside(within, path.join(within, 'a', 'file.txt'), 'text', { probe, temporaryName });
    await assert.rejects(written, { code: 'leads-outside' });
    assert.deepEqual(await readdir(outside), []);
  });

  it('lets the caller look as well before the file appears', async () => {
    const { within } = await aPlace();
    const file = path.join(within, 'file.txt');
    await writeInside(within, file, 'before');
    const beforeRename = async (): Promise<void> => {
      throw new Error(`not over ${await readFile(file, 'utf8')}`);
    };
    await assert.rejects(writeInside(within, file, 'after', { beforeRename }), { message: 'not over before' });
    assert.equal(await readFile(file, 'utf8'), 'before');
  });

  // A folder of the kernel, in which nobody can make one: root may write into every other.
  if (process.platform === 'linux')
    it('passes on what the system says where no folder can be made, which is no link', async () => {
      const written = writeInside('/sys/kernel', '/sys/kernel/whetstone/file.txt', 'text');
      await assert.rejects(written, ({ code }: NodeJS.ErrnoException) => /^E[A-Z]+$/.test(String(code)));
    });

  it('grows no file that a link stands for', async () => {
    const { within, outside } = await aPlace();
    await writeFile(path.join(outside, 'victim'), 'as it was');
    await symlink(path.join(outside, 'victim'), path.join(within, 'journal'));
    await assert.rejects(appendInside(within, path.join(within, 'journal'), 0o600));
    assert.equal(await readFile(path.join(outside, 'victim'), 'utf8'), 'as it was');
  });

  it('removes nothing that a link leads to', async () => {
    const { within, outside } = await aPlace();
    await writeFile(path.join(outside, 'victim'), 'as it was');
    await symlink(outside, path.join(within, 'out'));
    await assert.rejects(removeInside(within, path.join(within, 'out', 'victim')), { code: 'leads-outside' });
    await removeInside(within, path.join(within, 'out'));
    assert.deepEqual(await readdir(outside), ['victim']);
    assert.deepEqual(await readdir(within), []);
    await removeInside(within, path.join(within, 'nowhere', 'file'));
  });
});

interface Place {
  readonly within: string;
  readonly outside: string;
}

async function aPlace(): Promise<Place> {
  const { folder } = await aMachine();
  const [within, outside] = [path.join(folder, 'within'), path.join(folder, 'outside')];
  await mkdir(within);
  await mkdir(outside);
  return { within, outside };
}
