import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { agentSources, agentTrees } from '../../../../src/app/environments/agentSources.js';
import { TaskFault } from '../../../../src/errors.js';
import { resolveOptions } from '../../../../src/engine/runOptions.js';
import type { AgentTask } from '../../../../src/tasks/task.js';
import { aCheck, aTask } from '../../../builders/aTask.js';
import { aMachine, neverAborted, scrapMachines } from '../../../builders/storage.js';
import { onlyOn } from '../../../builders/leaveOut.js';

const aProgram = { provider: 'codex', endpoint: 'agent:codex', model: 'default', simulated: false };

describe('the folders that a task names for an agent', () => {
  after(scrapMachines);

  it('lie in the folder of the skill, over whichever links', async () => {
    const { folder, trees } = await aSkill();
    for (const fixture of ['data', 'data/', 'data/.', 'data/private', 'evals/up/outside'])
      await assert.rejects(
        trees.fixtureOf(starting(fixture), neverAborted),
        /Task from: The folder .* leads out/u,
        fixture,
      );
    for (const fixture of ['shop', 'shop/', 'same', 'evals/../shop']) {
      const { entries } = await trees.fixtureOf(starting(fixture), neverAborted);
      assert.deepEqual(
        entries.map((entry) => entry.path),
        ['a.txt'],
      );
    }
    const fault = await trees.fixtureOf(starting('none'), neverAborted).catch((error: unknown) => error);
    assert.ok(fault instanceof TaskFault && fault.message.startsWith('Task from: There is no folder'));
    assert.deepEqual([fault.taskId, fault.skillPath], ['from', path.join(folder, 'SKILL.md')], 'it leads to the task');
  });

  it('lie there also where a program that judges brings them', async () => {
    const { sources } = await aSkill();
    await assert.rejects(sources.judgesOf(judged('data'), neverAborted), /Task from: The folder data leads out/u);
    const [judge] = await sources.judgesOf(judged('same'), neverAborted);
    assert.ok(typeof judge === 'object' && judge.brings?.entries[0]?.path === 'a.txt');
  });

  it('are read out of a repository only where all that git reads for it lies in the workspace', async () => {
    const { folder, machine, trees } = await aSkill();
    const outside = aRepository(path.join(machine, 'outside', 'repository'));
    const inside = aRepository(path.join(machine, 'root', 'repository'));
    const from = (repository: string, commit = outside.commit) =>
      trees.fixtureOf(starting({ repository, commit }), neverAborted);
    await symlink(path.join(outside.folder), path.join(folder, 'linked'));
    await mkdir(path.join(folder, 'named'));
    await writeFile(path.join(folder, 'named', '.git'), `gitdir: ${path.join(outside.folder, '.git')}\n`);
    outside.git('worktree', 'add', '-q', path.join(machine, 'outside', 'other'));
    await mkdir(path.join(folder, 'tree'));
    await writeFile(path.join(folder, 'tree', '.git'), `gitdir: ${outside.folder}/.git/worktrees/other\n`);
    for (const name of ['linked', 'named', 'tree', '../../outside/repository', outside.folder])
      await assert.rejects(from(name), /Task from: The repository .* outside of the workspace/u, name);
    assert.equal((await from('../repository', inside.commit)).entries.length, 1);
    outside.git('worktree', 'add', '-q', path.join(folder, 'own'));
    assert.equal((await from('own')).entries.length, 1, 'the repository itself says that this is its work folder');
    await writeFile(path.join(inside.folder, '.git/objects/info/alternates'), `${outside.folder}/.git/objects\n`);
    await assert.rejects(from('../repository'), /outside of the workspace/u);
    await rm(path.join(inside.folder, '.git/objects/info/alternates'));
    await symlink(path.join(outside.folder, '.git/objects/pack'), path.join(inside.folder, '.git/objects/aa-link'));
    await assert.rejects(from('../repository'), /outside of the workspace/u);
  });

  it('have names that are text', async function () {
    onlyOn(this, 'linux', 'elsewhere no file has a name that is no text');
    const { folder, trees } = await aSkill();
    await writeFile(Buffer.concat([Buffer.from(`${folder}/shop/a`), Buffer.from([255])]), '1');
    await assert.rejects(trees.fixtureOf(starting('shop'), neverAborted), /Task from: The name .* is no UTF-8/u);
  });
});

function judged(folder: string) {
  return aTask({ id: 'from', checks: [aCheck('command', { command: 'true', folder })] });
}

function aRepository(folder: string) {
  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-C', folder, ...words], { encoding: 'utf8' });
  execFileSync('git', ['init', '-q', folder]);
  writeFileSync(path.join(folder, 'a.txt'), folder);
  git('add', '-A');
  git('commit', '-q', '-m', 'x');
  return { folder, git, commit: git('rev-parse', 'HEAD').trim() };
}

function starting(fixture: AgentTask['fixture']) {
  return aTask({ id: 'from', environment: 'agent', agent: { fixture, mode: 'offered' } });
}

/** Beside a folder of the person's, which links of the skill lead to. */
async function aSkill() {
  const { folder: machine } = await aMachine();
  const folder = path.join(machine, 'root', 'greeter');
  for (const name of ['evals', 'shop']) await mkdir(path.join(folder, name), { recursive: true });
  await mkdir(path.join(machine, 'outside', 'private'), { recursive: true });
  await writeFile(path.join(machine, 'outside', 'private', 'key'), 'mine');
  await writeFile(path.join(folder, 'SKILL.md'), '---\nname: greeter\ndescription: Greets.\n---\n\nGreet.\n');
  await writeFile(path.join(folder, 'shop', 'a.txt'), 'a');
  await symlink('../../outside', path.join(folder, 'data'));
  await symlink('shop', path.join(folder, 'same'));
  await symlink(machine, path.join(folder, 'evals', 'up'));
  const skill = { name: 'greeter', folder, places: { root: path.join(machine, 'root') } };
  const trees = agentTrees(skill, process.env);
  const consent = { allows: async () => true };
  const found = { kind: 'found' as const, text: '', shown: '', unbound: [], plain: undefined };
  const contents = { of: async () => found };
  const options = resolveOptions('quick', []);
  return {
    machine,
    folder,
    trees,
    sources: agentSources({ skill, options, trees, consent, contents, target: { identity: aProgram } }),
  };
}
