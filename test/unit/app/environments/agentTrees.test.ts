import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { agentSources, agentTrees } from '../../../../src/app/environments/agentSources.js';
import { resolveOptions } from '../../../../src/engine/runOptions.js';
import type { AgentTask } from '../../../../src/tasks/task.js';
import { aCheck, aTask } from '../../../builders/aTask.js';
import { aMachine, calm, scrapMachines } from '../../../builders/storage.js';

describe('the folders that a task names for an agent', () => {
  after(scrapMachines);

  it('lie in the folder of the skill, over whichever links', async () => {
    const { trees } = await aSkill();
    for (const fixture of ['data', 'data/', 'data/.', 'data/private', 'evals/up/outside'])
      await assert.rejects(
        trees.fixtureOf(starting(fixture), calm),
        /task from names the folder .* leads out/u,
        fixture,
      );
    for (const fixture of ['shop', 'shop/', 'same', 'evals/../shop']) {
      const { entries } = await trees.fixtureOf(starting(fixture), calm);
      assert.deepEqual(
        entries.map((entry) => entry.path),
        ['a.txt'],
      );
    }
    await assert.rejects(trees.fixtureOf(starting('none'), calm), /There is no folder/u);
  });

  it('lie there also where a program that judges brings them', async () => {
    const { sources } = await aSkill();
    await assert.rejects(sources.judgesOf(judged('data'), calm), /task from names the folder data, .* leads out/u);
    const [judge] = await sources.judgesOf(judged('same'), calm);
    assert.ok(typeof judge === 'object' && judge.brings?.entries[0]?.path === 'a.txt');
  });
});

function judged(folder: string) {
  return aTask({ id: 'from', checks: [aCheck('command', { command: 'true', folder })] });
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
  return { trees, sources: agentSources({ skill, options, trees, consent, contents }) };
}
