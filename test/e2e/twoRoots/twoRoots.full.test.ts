import assert from 'node:assert/strict';
import path from 'node:path';
import { openWorkbench } from '../driver/openWorkbench.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';

/**
 * The extension in a workspace of two folders, with a skill in every place that agents look. In a browser of its own: a
 * window that is loaded already may ask for the workspace's file before the server answers, and then shows no folder.
 */
describe('a workspace with two roots', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);

  before(async function () {
    workbench = await openWorkbench({
      link: [path.resolve('.')],
      workspace: path.resolve('test/fixtures/workspaces/two-roots/two-roots.code-workspace'),
    });
  });

  after(async () => workbench.close());

  it('shows every skill once, grouped by folder', async function () {
    await workbench.openContainer('Whetstone');
    const tree = workbench.tree('Skills');
    await tree.row('Kitchen');
    await tree.row('Garden');
    const rows = await tree.rows();
    await workbench.screenshot('two-roots');
    const folders = rows.filter((row) => row.level === 1).map((row) => row.label);
    assert.deepEqual(folders, ['Garden', 'Kitchen']);
    const skills = rows.filter((row) => row.level === 2).map((row) => row.label);
    assert.equal(new Set(skills).size, skills.length, skills.join(', '));
    assert.ok(skills.length >= 8, skills.join(', '));
  });
});
