import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../../src/isInside.js';
import { writeInto } from '../../../../src/storage/files/insideFolder.js';
import { aMachine, scrapMachines } from '../../../builders/storage.js';

describe('a file in this user’s own state', () => {
  after(scrapMachines);

  for (const below of ['one', 'one/two/three']) {
    it(`lies in a folder that only this user may open, made where it is missing: ${below}`, async () => {
      const { folder } = await aMachine();
      const file = path.join(folder, 'state', below, 'file.txt');
      await mkdir(path.join(folder, 'state'));
      await writeInto(path.join(folder, 'state'), file, () => writeFile(file, 'text'));
      assert.equal(await readFile(file, 'utf8'), 'text');
      assert.equal((await stat(path.dirname(file))).mode & 0o777, 0o700);
    });
  }

  it('is written again only where its folder was missing', async () => {
    const { folder } = await aMachine();
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    let tries = 0;
    const write = (): Promise<void> => {
      tries += 1;
      return Promise.reject(full);
    };
    await assert.rejects(writeInto(folder, path.join(folder, 'x', 'file.txt'), write), full);
    assert.equal(tries, 1);
    assert.ok(!(await readdir(folder)).includes('x'));
  });

  it('is not written where a link leads out', async () => {
    const { folder } = await aMachine();
    const [state, outside] = [path.join(folder, 'state'), path.join(folder, 'outside')];
    await mkdir(state);
    await mkdir(outside);
    await symlink(outside, path.join(state, 'out'));
    const file = path.join(state, 'out', 'deep', 'deeper', 'file.txt');
    await assert.rejects(
      writeInto(state, file, () => writeFile(file, 'text')),
      {
        code: 'store-unusable',
        message: `${path.join(state, 'out')} is a link that leads out of ${state}.`,
        cure: 'Remove the link; Whetstone makes the folder anew.',
      },
    );
    assert.deepEqual(await readdir(outside), []);
  });
});

describe('a path', () => {
  const cases = [
    ['/a', '/a', true],
    ['/a', '/a/b', true],
    ['/a', '/a/..b', true],
    ['/a', '/a/b/..', true],
    ['/a', '/a/..', false],
    ['/a', '/', false],
    ['/a', '/ab', false],
    ['/a/b', '/a/c', false],
    ['/', '/a', true],
  ] as const;
  for (const [folder, inner, expected] of cases)
    it(`is ${expected ? 'inside' : 'outside'}: ${inner} of ${folder}`, () =>
      assert.equal(isInside(path.resolve(folder), path.resolve(inner)), expected));
});
