import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { Overviews } from '../../../src/editor/skills/overviews.js';
import { SkillCatalog } from '../../../src/editor/skills/skillCatalog.js';
import { SkillLens } from '../../../src/editor/skills/skillLens.js';
import { emptySummary } from '../../../src/engine/journal/runSummary.js';
import { few } from '../../builders/few.js';
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

  for (const place of few(['.claude/skills/another', 'skills/copied', '.agents/skills/third']))
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

  it('are those of the search that began last, where an earlier one ends after it', async () => {
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    const looks: (() => void)[] = [];
    let isHeld = false;
    const write = (name: string): void => {
      const folder = path.join(workspace.uri.fsPath, 'skills', name);
      made.push(folder);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: x\ndescription: y\n---\n');
    };
    const slow = new SkillCatalog(async (file) => {
      if (isHeld) await new Promise<void>((resolve) => looks.push(resolve));
      return file;
    });
    try {
      await slow.skills();
      isHeld = true;
      write('early'); // its folder came: the catalog looks again
      await until(() => looks.length > 0, 'the look at the new folder');
      isHeld = false;
      write('late');
      slow.refresh();
      const isThere = async () => (await slow.skills()).some(({ name }) => name === 'late');
      assert.ok(await isThere());
      looks.forEach((goOn) => goOn());
      await setTimeout(50);
      assert.ok(await isThere(), 'what the later search found is still there');
    } finally {
      slow.dispose();
    }
  });

  it('are known by one path, whichever link to them or folder of theirs is named, and the lens shows their run', async () => {
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    const folder = path.join(workspace.uri.fsPath, 'skills', 'linked-to');
    const link = path.join(workspace.uri.fsPath, 'skills', 'the-link');
    made.push(folder, link);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: x\ndescription: y\n---\n');
    symlinkSync(folder, link, 'junction');
    const skillPath = path.join(realpathSync(folder), 'SKILL.md');
    const linked = new SkillCatalog((file) => realpath(file).catch(() => file));
    const overviews = new Overviews(() => Promise.reject(new Error('nothing is stored yet')));
    const lens = new SkillLens(overviews, linked);
    try {
      for (const named of [skillPath, path.join(link, 'SKILL.md'), folder, link])
        assert.equal(await linked.pathOf(named), skillPath);
      const summary = emptySummary('r1', 0);
      overviews.showRun(skillPath, { summary, share: { share: 0.5, leftMs: undefined } });
      const document = await vscode.workspace.openTextDocument(path.join(link, 'SKILL.md'));
      const [running] = await lens.provideCodeLenses(document);
      assert.equal(running?.command?.command, 'whetstone.showSkill');
      assert.deepEqual(running.command.arguments, [skillPath]);
    } finally {
      lens.dispose();
      overviews.dispose();
      linked.dispose();
    }
  });
});
