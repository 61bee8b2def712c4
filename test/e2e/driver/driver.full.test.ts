import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openWorkbench } from './openWorkbench.js';
import { pictureOnFailure } from './pictureOnFailure.js';
import type { Workbench } from './workbench.js';

const probe = path.resolve('test/fixtures/probeExtension');

describe('the end-to-end driver, on an extension made for it', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench({ link: [probe], workspace: 'probe' });
  });
  after(() => workbench.close());
  pictureOnFailure(() => workbench);
  afterEach(() => workbench.clearToasts());

  it('runs a command of the palette, reads its toast and presses a button of it', async () => {
    await workbench.palette('Probe: Say Hello');
    assert.equal(await workbench.toast(/Hello/), 'Hello from the probe');
    await workbench.toasts.press(/Hello/, 'Wave');
    assert.equal(await workbench.toast(/You pressed/), 'You pressed Wave');
  });

  it('answers a modal dialog', async () => {
    await workbench.palette('Probe: Ask');
    assert.match(await workbench.dialogs.text(), /Really\?[\s\S]*There is no way back\./);
    await workbench.dialogs.press('Go On');
    assert.equal(await workbench.toast(/Answer/), 'Answer: Go On');
  });

  it('chooses from a quick pick', async () => {
    await workbench.palette('Probe: Pick');
    assert.equal(await workbench.quickInput.message(), 'Which stone?');
    assert.deepEqual(await workbench.quickInput.items(), ['granite', 'slate', 'marble']);
    await workbench.quickInput.choose('slate');
    assert.equal(await workbench.toast(/Picked/), 'Picked slate');
  });

  it('fills in an input box and reads its validation', async () => {
    await workbench.palette('Probe: Name');
    assert.match(await workbench.quickInput.message(), /Give it a name|A name for the stone/);
    await workbench.quickInput.enter('Rosetta');
    assert.equal(await workbench.toast(/Named/), 'Named Rosetta');
  });

  it('reads, expands and presses rows of a tree, and the welcome text of an empty one', async () => {
    await workbench.openContainer('Probe');
    const tree = workbench.tree('Stones');
    await tree.expand('granite');
    await tree.row('quartz');
    assert.deepEqual(await tree.rows(), [
      { label: 'granite', description: '2 parts', level: 1, state: 'expanded' },
      { label: 'feldspar', description: '', level: 2, state: 'leaf' },
      { label: 'quartz', description: '', level: 2, state: 'leaf' },
      { label: 'slate', description: '0 parts', level: 1, state: 'leaf' },
    ]);
    await tree.click('slate');
    assert.equal(await workbench.toast(/Touched/), 'Touched slate');
    await tree.action('granite', 'Polish');
    assert.equal(await workbench.toast(/Polished/), 'Polished granite');
    assert.equal(await workbench.tree('Tools').welcome(), 'There are no tools yet.');
  });

  it('opens a file, reads its lines, lenses and threads, and presses them', async () => {
    await workbench.editors.open('README.md');
    assert.deepEqual(await workbench.lenses.texts(), ['Accept | Reject', 'Third line']);
    assert.deepEqual((await workbench.editors.lines()).slice(0, 3), ['first', '  second', 'third']);
    await workbench.lenses.click('Accept');
    assert.equal(await workbench.toast(/Lens/), 'Lens of line 1');
    assert.deepEqual(await workbench.threads.open(), [
      { label: 'Why this line', comments: [{ author: 'Prober', text: 'Because it is shorter.' }] },
    ]);
    await workbench.threads.press('Why this line', 'Agree');
    assert.equal(await workbench.toast(/Agreed/), 'Agreed on Why this line');
  });

  it('reads a diff in both of its modes', async () => {
    await workbench.palette('Probe: Compare');
    await workbench.editors.waitFor('Probe comparison');
    const changes = { removed: ['two'], added: ['2', 'four'] };
    assert.deepEqual(await workbench.diff.state(), { mode: 'side by side', ...changes });
    await workbench.updateSettings({ 'diffEditor.renderSideBySide': false });
    await workbench.page.locator('.monaco-diff-editor:not(.side-by-side)').waitFor();
    assert.deepEqual(await workbench.diff.state(), { mode: 'inline', ...changes });
  });

  it('changes a setting, and sees it again in the status bar after a reload', async () => {
    await workbench.statusBar.item('Volume 1');
    await workbench.updateSettings({ 'probe.volume': 11 });
    await workbench.statusBar.item('Volume 11');
    await workbench.reload();
    await workbench.statusBar.item('Volume 11');
    assert.ok((await workbench.statusBar.items()).includes('Volume 11'));
    assert.match(await workbench.statusBar.tooltip('Volume 11'), /How loud the probe is/);
    await workbench.statusBar.click('Volume 11');
    await workbench.toast(/Hello/);
  });

  it('types, saves and sees what others wrote to the file', async () => {
    await workbench.editors.open('notes.txt');
    await workbench.page.locator('.view-lines').first().click();
    await workbench.press('Control+Home');
    await workbench.page.keyboard.type('new ');
    await workbench.page.locator('.tab.active.dirty').waitFor();
    assert.equal(await workbench.editors.isDirty(), true);
    await workbench.press('Control+S');
    await workbench.page.locator('.tab.active:not(.dirty)').waitFor();
    const file = path.join(workbench.session.workspace ?? '', 'notes.txt');
    assert.equal(readFileSync(file, 'utf8'), 'new notes\n');
    writeFileSync(file, 'other notes\n');
    await workbench.page.locator('.view-line', { hasText: 'other' }).waitFor();
  });

  it('takes the same picture twice of the same state', async () => {
    const first = readFileSync(await workbench.screenshot('driver-first'));
    const second = readFileSync(await workbench.screenshot('driver-second'));
    assert.ok(first.equals(second), 'two pictures of one state differ');
  });
});
