import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { SkillCatalog } from '../../../src/editor/skills/skillCatalog.js';
import { until } from '../until.js';

/** A terminal beside the window adds skills: `npx skills add`, a git pull, a copied folder. */
describe('the skills of a window', () => {
  let catalog: SkillCatalog;
  const made: string[] = [];
  before(() => {
    catalog = new SkillCatalog((file) => Promise.resolve(file));
  });
  after(() => {
    catalog.dispose();
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  });

  for (const place of ['skills/copied', '.claude/skills/another', '.agents/skills/third'])
    it(`show one that is written into ${place} the moment the folder is made`, async function () {
      const [workspace] = vscode.workspace.workspaceFolders ?? [];
      assert.ok(workspace);
      const folder = path.join(workspace.uri.fsPath, place);
      made.push(folder);
      const before = await catalog.skills();
      assert.ok(!before.some(({ name }) => name === path.basename(place)));
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: x\ndescription: y\n---\n');
      await until(
        async () => (await catalog.skills()).some(({ name }) => name === path.basename(place)),
        `the skill in ${place}`,
      );
    });
});
