import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { knownCommit } from '../../../../../src/storage/programs/workplace/exportCommit.js';
import { neverAborted } from '../../../../builders/storage.js';

describe('a commit that a session tells by its first digits', () => {
  let folder = '';
  const git = (words: readonly string[], input = ''): string =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], {
      encoding: 'utf8',
      input,
    }).trim();
  const known = async (commit: string): Promise<string | undefined> => {
    const found = await knownCommit({ ...asked(), commit }, neverAborted);
    return found.kind === 'known' ? found.commit : undefined;
  };
  const asked = () => ({ repository: folder, environment: process.env, workspace: [] });
  const kindWith = async (more: Partial<Parameters<typeof knownCommit>[0]>): Promise<string> =>
    (await knownCommit({ ...asked(), commit: '0123456', ...more }, neverAborted)).kind;
  before(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-known-')));
    git(['init', '--quiet']);
    git(['commit', '--quiet', '--allow-empty', '-m', 'Begin']);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is the whole one where no other begins so', async () => {
    const commit = git(['rev-parse', 'HEAD']);
    assert.deepEqual([await known(commit.slice(0, 7)), await known(commit)], [commit, commit]);
    assert.deepEqual([await known(commit.slice(0, 6)), await known('0123456')], [undefined, undefined]);
  });

  it('is not known where a branch has its name', async () => {
    const [first, other] = [git(['rev-parse', 'HEAD']), git(['commit-tree', '-m', 'Other', 'HEAD^{tree}'])];
    git(['update-ref', `refs/heads/${first.slice(0, 8)}`, other]);
    git(['update-ref', 'refs/tags/dec0de5', other]);
    assert.deepEqual([await known(first.slice(0, 8)), await known('dec0de5')], [undefined, undefined]);
    assert.equal(await known(first.slice(0, 9)), first);
  });

  it('is gone where git says so, and was not asked for where git said nothing', async () => {
    assert.equal(await kindWith({}), 'gone');
    assert.equal(await kindWith({ repository: path.join(folder, 'removed') }), 'gone');
    const bin = path.join(folder, 'bin');
    mkdirSync(bin);
    assert.equal(await kindWith({ environment: { PATH: bin } }), 'not-asked', 'there is no git');
    for (const script of ['#!/nowhere/sh\n', '#!/bin/sh\nkill -9 $$\n']) {
      writeFileSync(path.join(bin, 'git'), script, { mode: 0o755 });
      assert.equal(await kindWith({ environment: { PATH: bin } }), 'not-asked', script);
    }
  });

  it('is not known where two begin so', async () => {
    const [one, two] = alike(git(['rev-parse', 'HEAD^{tree}']));
    const written = [one, two].map((text) => git(['hash-object', '-t', 'commit', '-w', '--stdin'], text));
    assert.equal(written[0]?.slice(0, 7), written[1]?.slice(0, 7));
    assert.equal(await known(written[0]?.slice(0, 7) ?? ''), undefined);
    assert.equal(await known(written[0] ?? ''), written[0]);
  });
});

/** Two commits of a tree with the same first seven digits: among some ten thousand there are some. */
function alike(tree: string): readonly [string, string] {
  const seen = new Map<string, string>();
  for (let number = 0; ; number += 1) {
    const text = `tree ${tree}\nauthor A <a@example.org> ${number} +0000\ncommitter A <a@example.org> 1 +0000\n\nx\n`;
    const name = createHash('sha1').update(`commit ${text.length}\0${text}`).digest('hex').slice(0, 7);
    const other = seen.get(name);
    if (other !== undefined) return [other, text];
    seen.set(name, text);
  }
}
