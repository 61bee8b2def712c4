import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { openWorkbench } from '../driver/openWorkbench.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';

const mostActions = 6;
const demoSkill = '.claude/skills/incident-summary/SKILL.md';

/** The numbered list of the README, pressed button by button in a VS Code that knows nothing yet. */
describe('whoever follows the README literally', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);
  const [first, ...others] = readmeActions();

  before(async function () {
    this.timeout(120_000);
    workbench = await openWorkbench({ vsix: path.resolve('whetstone.vsix') });
  });

  after(async () => workbench.close());

  it(`reaches an accepted edit in at most ${mostActions} actions`, async function () {
    this.timeout(240_000);
    assert.ok(others.length + 1 <= mostActions);
    assert.match(first ?? '', /--install-extension whetstone\.vsix/, 'the window of this test has it installed');
    const presses: Readonly<Record<string, () => Promise<void>>> = {
      Whetstone: () => workbench.openContainer('Whetstone'),
      'Try the Demo': () =>
        workbench.page.locator('.welcome-view-content .monaco-button', { hasText: 'Try the Demo' }).first().click(),
      'Temporary Folder': () => workbench.dialogs.press('Temporary Folder'),
      'Review Edits': async () => {
        await workbench.toast(/incident-summary: Better/);
        await workbench.screenshot('readme-trained');
        await workbench.toasts.press(/incident-summary: Better/, 'Review Edits');
      },
      'Accept All': () => workbench.lenses.click('Accept All'),
    };
    for (const action of others) {
      const name = /^Click \*\*([^*]+)\*\*/.exec(action)?.[1] ?? action;
      const press = presses[name];
      assert.ok(press, `the README says “${action}”, and no button of that name is pressed here`);
      await press();
    }
    const [before, after] = await untilAccepted(workbench);
    assert.notEqual(after, before, 'the accepted edits are on disk');
    await workbench.screenshot('readme-accepted');
  });
});

/** The texts of the numbered list, in order. */
function readmeActions(): readonly string[] {
  const [, after = ''] = readFileSync('README.md', 'utf8').split(/^## From nothing to an accepted edit.*$/m);
  const [section = ''] = after.split(/^## /m);
  return [...section.matchAll(/^\d\. (.+)$/gm)].map(([, text]) => text ?? '');
}

async function untilAccepted({ session }: Workbench): Promise<readonly [string, string]> {
  const before = readFileSync(path.join('media/demo', demoSkill), 'utf8');
  for (let tries = 0; tries < 150; tries += 1) {
    const after = await demoText(path.join(session.folder, 'tmp'));
    if (after !== before) return [before, after];
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return [before, before];
}

/** The demo lies in a temporary folder whose name only the window knows. */
async function demoText(temporary: string): Promise<string> {
  const [folder] = (await readdir(temporary)).filter((name) => name.startsWith('whetstone-'));
  assert.ok(folder, 'there is a demo');
  return readFile(path.join(temporary, folder, 'whetstone-demo', demoSkill), 'utf8');
}
