import assert from 'node:assert/strict';
import path from 'node:path';
import { openWorkbench } from '../driver/openWorkbench.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { whetstone } from './resultsDriver.js';

const skill = '.claude/skills/status-update';
/** Follows the one good edit a third of the time, with a cap that leaves room for two passes: nothing is settled. */
const undecided = ['--model', 'simulated?lapse=0.65', '--set', 'caps.tokens=31000'];

/** The window only looks on: everything is run in a terminal, the first run of a workspace without any state. */
describe('a window beside the command line', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);

  before(async function () {
    workbench = await openWorkbench({ link: [path.resolve('.')], workspace: 'noisy' });
    await workbench.updateSettings({ 'whetstone.model.target': 'simulated' });
    await workbench.openContainer('Whetstone');
    await workbench.tree('Skills').expand('status-update');
    await workbench.tree('Skills').row('Tasks');
  });

  after(async () => workbench.close());

  it('shows the inconclusive run that a terminal made, and what would settle it', async function () {
    await whetstone(workbench, 'optimize', skill, ...undecided);
    const tree = workbench.tree('Skills');
    await tree.row('Gate: undecided');
    const rows = await tree.rows();
    assert.match(
      rows.find(({ label }) => label === 'status-update')?.description ?? '',
      /undecided · \d+ edits? pending/,
    );
    assert.equal(
      rows.find(({ description }) => description === 'would settle it')?.label,
      'At most 6 more passes, about 96 calls',
    );
    await workbench.tree('Runs').row('status-update · run');
    await workbench.screenshot('results-inconclusive');
  });

  it('shows what the terminal then rejected and undid', async function () {
    await whetstone(workbench, 'reject', skill, '--reason', 'too long');
    const tree = workbench.tree('Skills');
    await tree.row('Last run');
    await tree.row('Edits not taken');
    assert.ok(!(await tree.rows()).some(({ label }) => label.startsWith('Gate')));
  });
});
