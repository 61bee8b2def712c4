import assert from 'node:assert/strict';
import path from 'node:path';
import { openWorkbench } from '../driver/openWorkbench.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';

/** A forgetful model and a cap that leaves room for two passes: what a person sees, and the one click that goes on. */
describe('a certification that its cap cuts off, in the window', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);

  before(async function () {
    workbench = await openWorkbench({ link: [path.resolve('.')], workspace: 'noisy' });
    await workbench.updateSettings({
      'whetstone.model.target': 'simulated?lapse=0.65',
      'whetstone.caps.runTokens': 31_000,
    });
  });

  after(async () => workbench.close());

  it('says that it is undecided, and offers to gather more evidence', async function () {
    await workbench.openContainer('Whetstone');
    await workbench.tree('Skills').row('status-update');
    await workbench.editors.open('status-update/SKILL.md');
    await workbench.lenses.click('Optimize This Skill');
    const text = await workbench.toast(/status-update: Undecided after 2 of at most 8 passes/);
    assert.match(text, /What would settle it: At most 6 more passes, about 96 calls, free of charge\./);
    await workbench.screenshot('gate-undecided-toast');
  });

  it('says in the tree what would settle it', async function () {
    await workbench.clearToasts();
    const tree = workbench.tree('Skills');
    await tree.expand('status-update');
    await tree.row('Gate: undecided');
    const rows = await tree.rows();
    const settle = rows.find((row) => row.description === 'would settle it');
    await workbench.screenshot('gate-undecided-tree');
    assert.equal(settle?.label, 'At most 6 more passes, about 96 calls');
  });

  it('goes on to its decision with one click', async function () {
    const tree = workbench.tree('Skills');
    await tree.action('Gate: undecided', 'Gather More Evidence');
    await workbench.toast(/status-update( improved from|: No improvement found|: Not shown)/);
    await workbench.screenshot('gate-decided-toast');
    await workbench.clearToasts();
    const rows = await tree.rows();
    await workbench.screenshot('gate-decided-tree');
    assert.ok(
      rows.some((row) => /^Gate: (improved|no improvement found|not shown)$/.test(row.label)),
      JSON.stringify(rows),
    );
    assert.ok(
      rows.some((row) => row.label === 'Final exam' && /not used for the decision/.test(row.description)),
      JSON.stringify(rows),
    );
    assert.ok(!rows.some((row) => row.description === 'would settle it'));
  });
});
