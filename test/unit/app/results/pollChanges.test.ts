import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endRunOf, makeSkills, scaledUseCases } from '../../../builders/manySkills.js';

/** Files are written behind the window's back, in folders that did not exist a moment before. */
describe('looking for changes that others made', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'whetstone-changes-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('tells of the first run of a workspace, once', async () => {
    const { useCases, request, look } = await aLookedAtSkill(folder);
    assert.deepEqual(await useCases.pollChanges(), nothing);
    await endRunOf(folder, request, 1);
    assert.deepEqual(await useCases.pollChanges(), { ...nothing, anySkill: true });
    assert.equal((await look()).runs.length, 1);
    assert.deepEqual(await useCases.pollChanges(), nothing);
  });

  it('tells of a further run that ends', async () => {
    const { useCases, request } = await aLookedAtSkill(folder);
    await endRunOf(folder, request, 1);
    await useCases.pollChanges();
    await endRunOf(folder, request, 2);
    assert.deepEqual(await useCases.pollChanges(), { ...nothing, anySkill: true });
  });

  for (const file of ['SKILL.md', 'evals/evals.json', 'evals/whetstone.json'])
    it(`tells of the skill whose ${file} was written, once, and of no other`, async () => {
      const { useCases, request } = await aLookedAtSkill(folder, 2);
      await utimes(path.join(path.dirname(request.skillPath), file), 1, 1);
      assert.deepEqual(await useCases.pollChanges(), { ...nothing, skills: [request.skillPath] });
      assert.deepEqual(await useCases.pollChanges(), nothing);
    });

  it('tells of tasks that were not there before', async () => {
    const { useCases, request } = await aLookedAtSkill(folder);
    await rm(path.join(path.dirname(request.skillPath), 'evals'), { recursive: true });
    assert.deepEqual((await useCases.pollChanges()).skills, [request.skillPath]);
  });

  it('tells of nothing that was looked at since', async () => {
    const { useCases, request, look } = await aLookedAtSkill(folder);
    await utimes(request.skillPath, 1, 1);
    await look();
    assert.deepEqual(await useCases.pollChanges(), nothing);
  });

  it('tells of nothing where nothing was looked at', async () => {
    assert.deepEqual(await scaledUseCases(folder).pollChanges(), nothing);
  });
});

const nothing = { anySkill: false, skills: [] };

async function aLookedAtSkill(folder: string, skills = 1) {
  const [skill, ...others] = await makeSkills(folder, { skills, tasks: 4, runs: 0 });
  assert.ok(skill);
  const useCases = scaledUseCases(folder);
  const request = { skillPath: skill.realPath, workspaceFolders: [skill.workspaceFolder] };
  const look = () => useCases.readMany()(request);
  for (const { realPath } of others) await useCases.readMany()({ ...request, skillPath: realPath });
  assert.equal((await look()).runs.length, 0);
  return { useCases, request, look };
}
