import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { LLMock } from '@copilotkit/aimock';
import { openWorkbench } from '../driver/openWorkbench.js';
import { packaged } from '../driver/ours.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import { startMockedServer } from '../driver/mockedServer.js';
import type { Workbench } from '../driver/workbench.js';
import { isChosen } from './isChosen.js';
import { inFull } from '../driver/inFull.js';

const key = 'sk-proj-Planted7In1The3Window9Qx2Zw8';

// The question before a run has tests of its own inside VS Code.

/** A person sets up a model behind a server: chooses it, gives it a key, sees that it answers, and trains with it. */
describe('a model behind a server, in the window', () => {
  let workbench: Workbench;
  let mock: LLMock;
  pictureOnFailure(() => workbench);

  before(async function () {
    assert.ok(existsSync('whetstone.vsix'), 'npm run package makes whetstone.vsix first');
    mock = await startMockedServer();
    workbench = await openWorkbench({ ...packaged, workspace: path.resolve('media/demo') });
    await workbench.page.setViewportSize({ width: 1000, height: 700 }); // questions and preflight fit a small window
  });

  after(async () => {
    await workbench.close();
    await mock.stop();
  });

  it('is chosen for a role, by its address', async function () {
    await workbench.palette('Whetstone: Choose Model');
    assert.ok((await workbench.quickInput.items()).some((item) => /Target.*not chosen/.test(item)));
    await workbench.screenshot('models-roles');
    await workbench.quickInput.choose('Target');
    await workbench.quickInput.items();
    await workbench.screenshot('models-found');
    for (const offered of ['Simulated', 'OpenAI', 'Azure', 'Anthropic']) {
      await workbench.quickInput.type(offered); // a small window shows the first of them alone
      await workbench.quickInput.offers(offered);
    }
    await workbench.quickInput.type('Other');
    await workbench.quickInput.choose('Other');
    await workbench.quickInput.type('not an address');
    await boxSays(/Write an address that starts with/);
    await workbench.quickInput.type(`${mock.url}/v1#gpt-4o-mini`);
    await boxSays(/^(?![^]*Write an address that)/); // until then the box takes no Enter
    await workbench.press('Enter');
    await isChosen(workbench, `${mock.url}/v1#gpt-4o-mini`);
  });

  it('is given a key that nobody sees', async function () {
    await workbench.palette('Whetstone: Set API Key');
    const { host } = new URL(mock.url);
    await boxSays(new RegExp(`API key for ${host}`));
    await workbench.quickInput.type(key);
    await workbench.screenshot('models-key');
    await workbench.press('Enter');
    await workbench.toast(/The key for .* is stored\./);
    await workbench.palette('Whetstone: Set API Key');
    await boxSays(/A key is stored/);
    await workbench.quickInput.dismiss();
  });

  inFull('keeps its key to itself: the same server under another name asks again', async function () {
    const { port } = new URL(mock.url);
    await choose(`http://localhost:${port}/v1#gpt-4o-mini`);
    await workbench.palette('Whetstone: Set API Key');
    const asked = await workbench.quickInput.message();
    assert.match(asked, new RegExp(`API key for localhost:${port}`));
    assert.doesNotMatch(asked, /A key is stored/);
    await workbench.quickInput.dismiss();
    await workbench.clearToasts();
    await choose(`${mock.url}/v1#gpt-4o-mini`);
    await workbench.clearToasts();
  });

  it('is found to answer', async function () {
    await workbench.palette('Whetstone: Check Connection');
    await workbench.toast(/The model answers\./);
    await workbench.screenshot('models-answers');
    const asked = mock.getRequests().filter(({ method }) => method === 'POST');
    assert.equal(asked.length, 2, 'one tiny call, and one for structured output');
    assert.ok(asked.every(({ headers }) => headers['authorization'] !== undefined));
    await workbench.clearToasts();
  });

  inFull('shows exactly what it would be sent', async function () {
    await workbench.openFile('.claude/skills/incident-summary/SKILL.md');
    await workbench.palette('Whetstone: Preview What Is Sent');
    await workbench.editors.waitFor(/What is sent/);
    const lines = (await workbench.editors.lines()).join('\n');
    assert.match(lines, /# target: the task \S+ under the skill/);
    const unwrapped = lines.replaceAll(/\s/g, ''); // a small window breaks the address
    assert.ok(unwrapped.includes(`POST${mock.url}/v1/chat/completions`), lines);
    await workbench.screenshot('models-preview');
  });

  it('trains a skill', async function () {
    await workbench.openFile('.claude/skills/incident-summary/SKILL.md');
    await workbench.lenses.click('Optimize This Skill');
    await boxSays(/Does this server cost money\?/);
    await workbench.screenshot('models-cost');
    await workbench.quickInput.choose('No, it is free');
    assert.match(
      await workbench.dialogs.text(),
      /how long is known after the first calls · usually [\d,]+, at most [\d,]+ calls · free/,
    );
    await workbench.screenshot('models-preflight');
    await workbench.dialogs.press('Optimize');
    await workbench.toast(/incident-summary improved from/);
    await workbench.screenshot('models-trained');
    await workbench.clearToasts();
  });

  inFull('that takes the place of another is said to, before a skill is trained on', async function () {
    await workbench.palette('Whetstone: Choose Model');
    await workbench.quickInput.choose('Target');
    await workbench.quickInput.choose('Simulated');
    await workbench.toast(/The target is now simulated\. What a skill learnt on \S+ may not carry over\./);
    await workbench.clearToasts();
    await workbench.openFile('.claude/skills/incident-summary/SKILL.md');
    await workbench.lenses.click('Optimize This Skill');
    const question = await workbench.dialogs.text();
    await workbench.screenshot('models-changed');
    assert.match(question, /had the target custom\/gpt-4o-mini, this one has simulated-1 \(simulated\)/);
    assert.match(question, /less than a minute|up to \d+ min/);
    await workbench.dialogs.press('Cancel');
    await choose(`${mock.url}/v1#gpt-4o-mini`);
    await workbench.clearToasts();
  });

  type Refusal = readonly [name: string, status: number, code: string, says: RegExp, button: string, opens: RegExp];
  const otherCauses: readonly Refusal[] = [
    ['has no such model', 404, 'model_not_found', /has no model[^]*Choose a model/, 'Choose Model', /For which role/],
    ['has no credit left', 429, 'insufficient_quota', /no credit left[^]*Add credit/, 'Choose Model', /For which role/],
  ];
  const fatal: readonly Refusal[] = [
    [
      'refuses the key',
      401,
      'invalid_api_key',
      /refused the API key[^]*Set the API key again/,
      'Set API Key',
      /API key for/,
    ],
    ...(process.env['WHETSTONE_FULL'] === '1' ? otherCauses : []),
  ];
  for (const [name, status, code, says, button, opens] of fatal) {
    it(`that ${name} ends the run at once, with a button that leads to the cure`, async function () {
      const calls = (): number => mock.getRequests().filter(({ method }) => method === 'POST').length;
      const before = calls();
      mock.clearFixtures();
      mock.on({}, { error: { message: `The key ${key} will not do.`, code }, status });
      await workbench.openFile('.github/skills/code-review/SKILL.md');
      await workbench.lenses.click('Optimize This Skill');
      await workbench.dialogs.text();
      const began = Date.now();
      await workbench.dialogs.press('Optimize');
      const text = await workbench.toast(says);
      assert.ok(Date.now() - began < 15_000, 'five seconds, and what a busy window takes');
      assert.ok(!text.includes(key));
      await workbench.screenshot(`models-${code}`);
      const asked = calls() - before;
      assert.ok(asked >= 1 && asked <= 2, `${asked} calls`);
      await workbench.toasts.press(says, button);
      await boxSays(opens);
      await workbench.quickInput.dismiss();
      await workbench.clearToasts();
    });
  }

  it('leaves its key in no file: settings, state, logs, workspace', () => {
    const leaks = filesBelow(workbench.session.folder).filter((file) => readFileSync(file).includes(key));
    assert.deepEqual(leaks, []);
  });

  /** What a box says about an answer comes a moment after the answer. */
  async function boxSays(what: RegExp): Promise<void> {
    let said = '';
    for (let tries = 0; tries < 40; tries += 1) {
      said = await workbench.quickInput.message();
      if (what.test(said)) return;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    assert.match(said, what);
  }

  /** Settings are written in their own time; the list of roles tells when. */
  async function choose(address: string): Promise<void> {
    await workbench.palette('Whetstone: Choose Model');
    await workbench.quickInput.choose('Target');
    await workbench.quickInput.type('Other');
    await workbench.quickInput.choose('Other');
    await workbench.quickInput.enter(address);
    await workbench.toast(/The target is now/);
  }
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}
