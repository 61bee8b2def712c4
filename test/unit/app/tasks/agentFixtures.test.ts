import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aWorkspace, type TestWorkspace } from '../../../builders/aWorkspace.js';

const neverAborted = new AbortController().signal;

describe('what a new task for an agent can start from', () => {
  const workspaces: TestWorkspace[] = [];
  after(() => workspaces.forEach((each) => each.dispose()));

  it('is a folder of the fixtures, a new one, or the repository at its commit', async () => {
    const workspace = aWorkspace();
    workspaces.push(workspace);
    const { folder, skillPath } = workspace;
    const request = { skillPath, workspaceFolders: [folder] };
    const cases = workspace.useCases();
    assert.deepEqual(await cases.agentFixtures(request, neverAborted), { folders: [], repository: undefined });
    assert.equal(await cases.addFixture({ ...request, name: 'shop' }, neverAborted), 'evals/fixtures/shop');
    mkdirSync(path.join(path.dirname(skillPath), 'evals/fixtures/bank'));
    rmSync(path.join(folder, '.git'), { recursive: true });
    const git = (...words: readonly string[]): string =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.example', ...words], {
        encoding: 'utf8',
      });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    const { folders, repository } = await cases.agentFixtures(request, neverAborted);
    assert.deepEqual(folders, ['evals/fixtures/bank', 'evals/fixtures/shop']);
    assert.deepEqual(repository, { repository: '.', commit: git('rev-parse', 'HEAD').trim() });
  });

  it('is taken back with the folders around it as far as all of them are empty, and no further', async () => {
    const workspace = aWorkspace();
    workspaces.push(workspace);
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const cases = workspace.useCases();
    const fixtures = path.join(path.dirname(workspace.skillPath), 'evals/fixtures');
    const drop = (name: string): Promise<void> => cases.dropFixture({ ...request, name }, neverAborted);
    await cases.addFixture({ ...request, name: 'shop' }, neverAborted);
    await cases.addFixture({ ...request, name: 'bank' }, neverAborted);
    writeFileSync(path.join(fixtures, 'bank/prices.csv'), 'lamp,3');
    for (const name of ['shop', 'bank', 'gone', '../..']) await drop(name);
    assert.deepEqual(readdirSync(fixtures), ['bank']);
    rmSync(path.join(fixtures, 'bank/prices.csv'));
    await drop('bank');
    assert.deepEqual([existsSync(fixtures), existsSync(path.dirname(fixtures))], [false, true]);
  });

  it('is no folder elsewhere, and none that is there', async () => {
    const workspace = aWorkspace();
    workspaces.push(workspace);
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const cases = workspace.useCases();
    for (const name of ['../out', 'a/b', '.hidden', '']) {
      assert.match(cases.fixtureNameProblem(name) ?? '', /cannot be the name of a folder/u, 'told while it is typed');
      await assert.rejects(cases.addFixture({ ...request, name }, neverAborted), /cannot be the name of a folder/u);
    }
    assert.equal(cases.fixtureNameProblem('shop'), undefined);
    await cases.addFixture({ ...request, name: 'shop' }, neverAborted);
    await assert.rejects(cases.addFixture({ ...request, name: 'shop' }, neverAborted), /is there already/u);
    writeFileSync(path.join(path.dirname(workspace.skillPath), 'evals/fixtures/notes'), '');
    await assert.rejects(cases.addFixture({ ...request, name: 'notes' }, neverAborted), /notes is there already/u);
  });
});
