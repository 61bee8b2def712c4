import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endRunOf, makeSkills, scaledWorkshop } from '../../builders/manySkills.js';

/** Files are written behind the window's back, in folders that did not exist a moment before. */
describe('looking for changes that others made', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'whetstone-changes-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('tells of the first run of a workspace, once', async () => {
    const { workshop, request, look } = await aLookedAtSkill(folder);
    assert.equal(await workshop.lookForChanges(), false);
    await endRunOf(folder, request, 1);
    assert.equal(await workshop.lookForChanges(), true);
    assert.equal((await look()).runs.length, 1);
    assert.equal(await workshop.lookForChanges(), false);
  });

  it('tells of a further run that ends', async () => {
    const { workshop, request } = await aLookedAtSkill(folder);
    await endRunOf(folder, request, 1);
    await workshop.lookForChanges();
    await endRunOf(folder, request, 2);
    assert.equal(await workshop.lookForChanges(), true);
  });

  it('tells of nothing where nothing was looked at', async () => {
    assert.equal(await scaledWorkshop(folder).lookForChanges(), false);
  });
});

async function aLookedAtSkill(folder: string) {
  const [skill] = await makeSkills(folder, { skills: 1, tasks: 4, runs: 0 });
  assert.ok(skill);
  const workshop = scaledWorkshop(folder);
  const request = { skillPath: skill.realPath, workspaceFolders: [skill.workspaceFolder] };
  const look = () => workshop.lookTogether()(request);
  assert.equal((await look()).runs.length, 0);
  return { workshop, request, look };
}
