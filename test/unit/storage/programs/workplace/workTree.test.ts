import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { WorkEntry, WorkTree } from '../../../../../src/ports/agentWork.js';
import { exportCommit } from '../../../../../src/storage/programs/workplace/exportCommit.js';
import { treeOf, treeOfFolder, writeTree } from '../../../../../src/storage/programs/workplace/workTree.js';
import { writeFiles } from '../../../../../src/storage/programs/workplace/writeInside.js';
import { aWorkTree } from '../../../../builders/aWorkTree.js';
import { aMachine, neverAborted, scrapMachines } from '../../../../builders/storage.js';

describe('the files that work starts from', () => {
  after(scrapMachines);

  it('are those of a folder as they were, without what leads out of it', async () => {
    const { folder } = await aMachine();
    const [from, to] = [path.join(folder, 'from'), path.join(folder, 'to')];
    await mkdir(path.join(from, 'sub', '.git'), { recursive: true });
    await mkdir(to);
    await writeFile(path.join(from, 'sub', 'run.sh'), '#!/bin/sh\n');
    await chmod(path.join(from, 'sub', 'run.sh'), 0o755);
    await writeFile(path.join(from, 'sub', '.git', 'config'), 'x');
    await writeFile(path.join(from, 'a'), Buffer.from([0, 255]));
    for (const [name, target] of [
      ['in', 'sub/run.sh'],
      ['out', '../from2'],
      ['root', '/etc/passwd'],
      ['git', 'sub/.git/config'],
    ] as const)
      await symlink(target, path.join(from, name));
    const tree = await treeOfFolder(from, neverAborted);
    assert.deepEqual(
      tree.entries.map((entry) => entry.path),
      ['a', 'in', 'sub/run.sh'],
    );
    await writeTree(tree, to);
    assert.deepEqual((await treeOfFolder(to, neverAborted)).hash, tree.hash);
    assert.equal((await stat(path.join(to, 'sub', 'run.sh'))).mode & 0o777, 0o755);
    assert.equal(await readlink(path.join(to, 'in')), 'sub/run.sh');
    await chmod(path.join(to, 'sub', 'run.sh'), 0o644);
    assert.notEqual((await treeOfFolder(to, neverAborted)).hash, tree.hash);
  });

  it('are refused where they are too many or too large, or where there is no folder', async () => {
    const { folder } = await aMachine();
    await writeFile(path.join(folder, 'large'), '');
    await truncate(path.join(folder, 'large'), 65 * 1024 * 1024);
    await assert.rejects(treeOfFolder(folder, neverAborted), /more than 20000 files or 64 MB/u);
    await assert.rejects(treeOfFolder(path.join(folder, 'none'), neverAborted), /There is no folder/u);
    await assert.rejects(treeOfFolder(path.join(folder, 'large'), neverAborted), /There is no folder/u);
  });

  it('are written over what is in their way, and never through it', async () => {
    const { folder } = await aMachine();
    const [to, outside] = [path.join(folder, 'to'), path.join(folder, 'outside')];
    await mkdir(path.join(to, 'was', 'folder'), { recursive: true });
    await mkdir(outside);
    await writeFile(path.join(outside, 'x'), 'mine');
    await symlink(outside, path.join(to, 'dir'));
    await symlink(path.join(outside, 'x'), path.join(to, 'file'));
    await writeTree(aWorkTree({ 'dir/x': 'new', file: 'new', was: 'new' }), to);
    assert.deepEqual(await readdir(outside), ['x']);
    assert.equal(await readFile(path.join(outside, 'x'), 'utf8'), 'mine');
    assert.equal(await readFile(path.join(to, 'dir', 'x'), 'utf8'), 'new');
    assert.equal(await readFile(path.join(to, 'was'), 'utf8'), 'new');
  });

  it('have no name that leads out, or to where git keeps what it runs', async () => {
    const { folder } = await aMachine();
    const bad = [
      file('../x'),
      file('/x'),
      file('a/../../x'),
      file('.git/hooks/x'),
      file('a/.GIT/config'),
      file('a//x'),
      file('./x'),
      link('l', '/etc'),
      link('a/l', '../../x'),
      link('l', '.git/config'),
    ];
    for (const entry of bad) await assert.rejects(writeTree(treeOf([entry]), folder), /leads out/u, entry.path);
  });

  it('have no link that leads out over other links, and none that goes round for ever', async () => {
    const { folder } = await aMachine();
    const [from, to] = [path.join(folder, 'from'), path.join(folder, 'to')];
    await mkdir(path.join(from, 'd/1/2/3'), { recursive: true });
    await mkdir(path.join(from, 'd/1/out'), { recursive: true });
    await writeFile(path.join(from, 'd/1/out/keep'), 'k');
    await mkdir(to);
    const links = {
      'd/1/2/3/up': '../../..',
      fine: 'd/1/2/3/up/1/out',
      // By name alone this is d/1/out.
      chained: 'd/1/2/3/up/../../../out',
      over: 'chained/keep',
      round: 'about',
      about: 'round',
    };
    for (const [name, target] of Object.entries(links)) await symlink(target, path.join(from, name));
    const tree = await treeOfFolder(from, neverAborted);
    assert.deepEqual(
      tree.entries.map((entry) => entry.path),
      ['d/1/2/3/up', 'd/1/out/keep', 'fine'],
    );
    await writeTree(tree, to);
    assert.equal(await readFile(path.join(to, 'fine', 'keep'), 'utf8'), 'k');
    const chain = [link('d/1/2/3/up', '../../..'), link('chained', 'd/1/2/3/up/../../../out')];
    await assert.rejects(writeTree(treeOf(chain), to), /leads out/u);
  });

  it('have one meaning for every path, so that nothing is written through a link of theirs', async () => {
    const folder = await anEmptyFolder();
    for (const entries of [
      [link('x', 'y'), file('x/bashrc'), file('y/keep')],
      [file('a'), file('a/b/c')],
      [file('a'), link('a', 'b')],
    ])
      await assert.rejects(writeTree(treeOf(entries), folder), /is there twice/u);
    assert.deepEqual(await readdir(folder), []);
    await symlink('.', path.join(folder, 'linked'));
    await assert.rejects(writeTree(treeOf([file('a')]), path.join(folder, 'linked')), /written through/u);
  });

  it('come without what is named as the folder of git in other letters', async () => {
    const folder = await anEmptyFolder();
    await mkdir(path.join(folder, '.GIT'));
    await writeFile(path.join(folder, '.GIT', 'config'), '[core]');
    assert.deepEqual((await treeOfFolder(folder, neverAborted)).entries, []);
  });

  it('go into a home without following what an agent left there', async () => {
    const folder = await anEmptyFolder();
    const [home, outside] = [path.join(folder, 'home'), path.join(folder, 'outside')];
    await mkdir(home);
    await mkdir(outside);
    await writeFile(path.join(outside, 'token'), 'mine');
    await symlink(outside, path.join(home, '.config'));
    await symlink(path.join(outside, 'token'), path.join(home, 'auth'));
    await writeFiles(home, { '.config/token': 'new', auth: 'new' });
    assert.equal(await readFile(path.join(outside, 'token'), 'utf8'), 'mine');
    assert.equal(await readFile(path.join(home, '.config', 'token'), 'utf8'), 'new');
    assert.equal((await stat(path.join(home, 'auth'))).mode & 0o777, 0o600);
  });

  describe('of a commit', () => {
    it('are refused where a tree of it has one name twice', async () => {
      const { folder } = await aMachine();
      const { repository } = await aRepository(folder);
      const git = (words: readonly string[], input: string | Buffer): string =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: repository, input })
          .toString()
          .trim();
      const tree = (...entries: readonly (readonly [string, string])[]): string => {
        const raw = entries.flatMap(([head, id]) => [Buffer.from(`${head}\0`), Buffer.from(id, 'hex')]);
        return git(['hash-object', '-w', '--literally', '-t', 'tree', '--stdin'], Buffer.concat(raw));
      };
      const blob = git(['hash-object', '-w', '--stdin'], 'y');
      const root = tree(['120000 x', blob], ['40000 x', tree(['100644 bashrc', blob])]);
      const commit = git(['commit-tree', root, '-m', 'x'], '');
      const asked = { repository, commit, environment: process.env, workspace: [], mayRead: () => true };
      await assert.rejects(exportCommit(asked, neverAborted), /“x” is there twice/u);
    });

    it('are as they were stored, whatever the work folder, its hooks and its filters say', async () => {
      const { folder } = await aMachine();
      const { repository, commit } = await aRepository(folder);
      const before = await treeOfAll(repository);
      const tree = await exportCommit(
        { repository, commit, environment: process.env, workspace: [], mayRead: () => true },
        neverAborted,
      );
      assert.deepEqual(
        tree.entries.map((entry) => `${entry.kind} ${entry.path}`),
        ['file .gitattributes', 'file a.txt', 'file bin/run', 'link in', 'file ä ö.txt'],
      );
      assert.equal(textOf(tree, 'a.txt'), 'stored\n');
      assert.deepEqual(
        tree.entries.flatMap((entry) => (entry.kind === 'file' && entry.executable ? [entry.path] : [])),
        ['bin/run'],
      );
      assert.deepEqual(await treeOfAll(repository), before);
    });

    it('are refused where the commit is not named whole, is not there, or there is no git', async () => {
      const { folder } = await aMachine();
      const { repository, commit } = await aRepository(folder);
      const asked = { repository, commit, environment: process.env, workspace: [], mayRead: () => true };
      await assert.rejects(exportCommit({ ...asked, commit: 'HEAD' }, neverAborted), /no whole name/u);
      await assert.rejects(exportCommit({ ...asked, commit: '0'.repeat(40) }, neverAborted), /could not be read/u);
      await assert.rejects(exportCommit({ ...asked, environment: { PATH: '' } }, neverAborted), /no git/u);
      await assert.rejects(exportCommit({ ...asked, repository: '/' }, neverAborted), /could not be read/u);
    });
  });
});

async function anEmptyFolder(): Promise<string> {
  const { folder } = await aMachine();
  await mkdir(path.join(folder, 'empty'));
  return path.join(folder, 'empty');
}

/** With a filter, a monitor and hooks that would each leave a file behind. */
async function aRepository(folder: string): Promise<{ readonly repository: string; readonly commit: string }> {
  const repository = path.join(folder, 'repository');
  await mkdir(path.join(repository, 'bin'), { recursive: true });
  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: repository, encoding: 'utf8' });
  const write = (name: string, text: string): Promise<void> => writeFile(path.join(repository, name), text);
  git('init', '-q', '.');
  await write('a.txt', 'stored\n');
  await write('ä ö.txt', 'x');
  await write('.gitattributes', '*.txt filter=evil export-ignore\n');
  await write('bin/run', '#!/bin/sh\n');
  await chmod(path.join(repository, 'bin', 'run'), 0o755);
  await symlink('a.txt', path.join(repository, 'in'));
  await symlink('/etc/passwd', path.join(repository, 'out'));
  git('add', '-A');
  git('commit', '-q', '-m', 'x');
  await write('a.txt', 'changed since\n');
  for (const name of ['filter.evil.smudge', 'filter.evil.clean', 'core.fsmonitor', 'core.pager', 'core.sshCommand'])
    git('config', name, `touch ${repository}/${name}`);
  return { repository, commit: git('rev-parse', 'HEAD').trim() };
}

async function treeOfAll(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  return Promise.all(
    names.toSorted().map(async (name) => {
      const text = await readFile(path.join(folder, name), 'latin1').catch(() => '');
      return `${name} ${text}`;
    }),
  );
}

function textOf({ entries }: WorkTree, name: string): string | undefined {
  const found = entries.find((entry) => entry.path === name);
  return found?.kind === 'file' ? Buffer.from(found.bytes).toString('utf8') : undefined;
}

function file(name: string): WorkEntry {
  return { kind: 'file', path: name, bytes: Buffer.from('x'), executable: false };
}

function link(name: string, to: string): WorkEntry {
  return { kind: 'link', path: name, to };
}
