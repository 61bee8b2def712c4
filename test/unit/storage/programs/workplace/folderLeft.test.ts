import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FolderLeft, WorkEntry } from '../../../../../src/ports/agentWork.js';
import { changesIn, layChanges } from '../../../../../src/storage/programs/workplace/folderLeft.js';
import { treeOf, treeOfFolder, writeTree } from '../../../../../src/storage/programs/workplace/workTree.js';
import { aWorkTree } from '../../../../builders/aWorkTree.js';
import { aMachine, neverAborted, scrapMachines } from '../../../../builders/storage.js';

const start = treeOf([
  ...aWorkTree({ a: 'a', 'b/c': 'c', 'b/d': 'd', 'run*': 'exit 0', gone: 'x' }).entries,
  { kind: 'link', path: 'here', to: '.' },
  { kind: 'link', path: 'to-a', to: 'a' },
]);
const before = new Map(start.entries.map((entry) => [entry.path, entry]));

/** Two folders of two machines that hold the same. */
async function twoFolders(): Promise<readonly [string, string]> {
  const { folder } = await aMachine();
  const [one, two] = [path.join(folder, 'one'), path.join(folder, 'two')];
  for (const each of [one, two]) {
    await mkdir(each);
    await writeTree(start, each);
  }
  return [one, two];
}

function file(name: string): WorkEntry {
  return { kind: 'file', path: name, bytes: Buffer.from('x'), executable: false };
}

function link(name: string, to: string): WorkEntry {
  return { kind: 'link', path: name, to };
}

describe('what an agent left in a folder', () => {
  after(scrapMachines);

  it('makes the same folder of another machine’s, by what was changed alone', async () => {
    const [one, two] = await twoFolders();
    await rm(path.join(one, 'gone'));
    await rm(path.join(one, 'b'), { recursive: true });
    await writeFile(path.join(one, 'b'), 'a file in the place of a folder');
    await chmod(path.join(one, 'run'), 0o644);
    await rm(path.join(one, 'to-a'));
    await mkdir(path.join(one, 'to-a'));
    await writeFile(path.join(one, 'to-a/new'), 'new');
    await symlink('run', path.join(one, 'started'));
    await symlink('/etc/passwd', path.join(one, 'out'));
    const left = await changesIn(one, before, neverAborted);
    assert.ok(left !== undefined);
    assert.deepEqual(
      left.changed.entries.map((entry) => entry.path),
      ['b', 'run', 'started', 'to-a/new'],
    );
    assert.deepEqual([...left.deleted].toSorted(), ['b/c', 'b/d', 'gone', 'to-a']);
    await layChanges(left, two, before);
    await rm(path.join(one, 'out'));
    assert.equal((await treeOfFolder(two, neverAborted)).hash, (await treeOfFolder(one, neverAborted)).hash);
    assert.equal((await stat(path.join(two, 'run'))).mode & 0o111, 0);
  });

  it('is refused where it would be written or deleted elsewhere, also by way of what lies there already', async () => {
    const [, two] = await twoFolders();
    const outside = path.join(path.dirname(two), 'outside');
    await writeFile(outside, 'kept');
    const cases: readonly FolderLeft[] = [
      { changed: treeOf([file('../outside')]), deleted: [] },
      { changed: treeOf([file('/tmp/outside')]), deleted: [] },
      { changed: treeOf([file('.git/hooks/x')]), deleted: [] },
      { changed: treeOf([file('here/x')]), deleted: [] },
      { changed: treeOf([link('up', 'here/..')]), deleted: [] },
      { changed: treeOf([link('up', '/')]), deleted: [] },
      { changed: treeOf([]), deleted: ['../outside'] },
      { changed: treeOf([]), deleted: ['never there'] },
    ];
    for (const left of cases) await assert.rejects(layChanges(left, two, before), JSON.stringify(left));
    assert.equal(await readFile(outside, 'utf8'), 'kept');
    assert.equal((await treeOfFolder(two, neverAborted)).hash, start.hash);
  });
});
