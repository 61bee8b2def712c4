import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LLMock } from '@copilotkit/aimock';
import { stateOf } from '../../builders/aPreparedHome.js';
import { emptySkill, pastedKey, writeMonth } from '../../builders/monthOfSessions.js';
import { Actions } from '../driver/actions.js';
import { eventually } from '../driver/eventually.js';
import { startMockedServer } from '../driver/mockedServer.js';
import { openWorkbench } from '../driver/openWorkbench.js';
import { ours } from '../driver/ours.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import { stepByStep } from '../driver/stepByStep.js';
import type { Workbench } from '../driver/workbench.js';
import { pressIn, rowTexts } from '../review/reviewDriver.js';

const skill = '.claude/skills/release-notes/SKILL.md';
const sizes = [
  { width: 1280, height: 800 },
  { width: 1000, height: 700 },
];

/**
 * From a skill without a line to its first certified edit, out of nothing but a month of sessions with three agents.
 * WHETSTONE_PICTURES=1 puts the picture of the review into docs/pictures.
 */
describe('a skill that is learned from sessions alone', function () {
  stepByStep();
  let workbench: Workbench;
  let server: LLMock;
  let home: Readonly<Record<string, string>> = {};
  const actions = new Actions(21);
  pictureOnFailure(() => workbench);

  before(async function () {
    server = await startMockedServer();
    workbench = await openShop();
    writeMonth(workbench.session.home, workspace(), Date.now());
    home = stateOf(workbench.session.home);
    await workbench.updateSettings({ 'whetstone.model.target': `${server.url}/v1#simulated` });
    await workbench.page.setViewportSize(sizes[0] ?? assert.fail());
    await workbench.openContainer('Whetstone');
    await workbench.tree('Skills').row('release-notes');
  });

  after(async () => {
    await workbench.close();
    await server.stop();
  });

  it('has no tasks, and leads to what its person asked agents before', async () => {
    await workbench.openFile(skill);
    await picture('empty');
    await actions.take('Optimize This Skill', () => workbench.lenses.click('Optimize This Skill'));
    await workbench.toasts.text(/release-notes has no tasks yet/);
    await picture('no-tasks');
    await actions.take('From My Sessions', () => workbench.toasts.press(/has no tasks yet/, 'From My Sessions'));
  });

  it('asks whose sessions may be read, and says what is taken of them and what never is', async () => {
    const question = await workbench.dialogs.text();
    assert.match(question, /May Whetstone read your past sessions with agents\?/u);
    assert.match(question, /never what a tool was given or gave back[^]*Reading them sends nothing/u);
    for (const program of ['Claude Code: 10 files', 'Codex: 9 files', 'Copilot CLI: 6 files'])
      assert.ok(question.includes(program), question);
    await picture('may-read');
    await actions.take('Choose', () => workbench.dialogs.press('Choose'));
    for (const program of ['Claude Code', 'Codex', 'Copilot CLI'])
      await actions.take(program, () => workbench.quickInput.choose(program));
    await picture('programs');
    await actions.take('OK', () => workbench.press('Enter'));
  });

  it('shows all that was kept, without secrets, before anything is done with it', async () => {
    await workbench.quickInput.offers('Show What Was Kept First');
    assert.match(await workbench.quickInput.message(), /23 sessions read\. How are tasks found in them\?/u);
    await picture('how');
    await actions.take('Show', () => workbench.quickInput.choose('Show What Was Kept First'));
    await workbench.editors.waitFor(/What is kept/);
    const lines = (await workbench.editors.lines()).join('\n');
    assert.match(lines, /23 sessions of the last 30 days\./u);
    assert.match(lines, /Claude Code, left out: asked by scripts: 1/u);
    assert.match(lines, /Codex, left out: of other folders: 1/u);
    await workbench.quickInput.offers('With the optimizer model');
    await picture('kept');
    await actions.take('With a model', () => workbench.quickInput.choose('With the optimizer model'));
  });

  it('shows what a model would be sent, asks whether it may be, and only then what that may cost', async () => {
    await workbench.quickInput.offers('Do Not Send');
    await workbench.editors.waitFor(/What is sent/);
    assert.match(
      await workbench.quickInput.message(),
      /May words of your sessions be sent to \S*simulated at http:\/\/127\.0\.0\.1:\d+/u,
    );
    await picture('may-send');
    assert.deepEqual(completions(), []);
    await actions.take('Send', () => workbench.quickInput.choose(/what you asked in/u));
    await workbench.quickInput.offers('No, it is free');
    await picture('cost');
    await actions.take('Free', () => workbench.quickInput.choose('No, it is free'));
    assert.match(
      await workbench.dialogs.text(),
      /Ask a model about 19 of your sessions\?[^]*usually 19, at most \d+ calls · free/u,
    );
    await picture('price');
    await actions.take('Preview', () => workbench.dialogs.press('Preview What Is Sent'));
    await workbench.editors.waitFor(/What is sent/);
    assert.match((await workbench.editors.lines()).join('\n'), /POST http:\/\/127[^]*Nothing in it looked secret\./u);
    await workbench.toasts.text(/Close the preview/);
    await picture('would-be-sent');
    await actions.take('Back', () => workbench.toasts.press(/Close the preview/, 'Back'));
    await workbench.dialogs.text();
    assert.deepEqual(completions(), [], 'nothing was sent so far');
    await actions.take('Draft Tasks', () => workbench.dialogs.press('Draft Tasks'));
  });

  it('drafts tasks that wait in the state of the person, and confirms them with a word on where they go', async () => {
    assert.match(
      await workbench.toasts.text(/out of your sessions/),
      /^19 drafts out of your sessions wait for you\./u,
    );
    assert.equal(completions().length, 19);
    assert.equal(existsSync(file('evals')), false, 'nothing of it is in the workspace');
    await picture('drafted');
    await actions.take('Review Drafts', () => workbench.toasts.press(/out of your sessions/, 'Review Drafts'));
    const draft = await workbench.dialogs.text();
    assert.match(draft, /Draft 1 of 19[^]*A good answer:[^]*“Upgrade:”/u);
    assert.match(draft, /written to evals\/, which is usually committed: others may read it\./u);
    await picture('draft');
    await actions.take('Confirm All', () => workbench.dialogs.press('Confirm All 18 Left'));
    await workbench.toasts.text(/18 tasks are confirmed/);
    await picture('confirmed');
    const tree = workbench.tree('Skills');
    await tree.expand('release-notes');
    await tree.expand('Tasks');
    await tree.row('Drafts (1)');
    await picture('tasks');
  });

  it('proves an edit on held-out tasks of other sessions', async function () {
    this.timeout(600_000);
    const tree = workbench.tree('Skills');
    await actions.take('Optimize This Skill', () => tree.action('release-notes', 'Optimize This Skill'));
    await workbench.dialogs.text();
    await picture('preflight');
    await actions.take('Optimize', () => workbench.dialogs.press('Optimize'));
    const said = await workbench.toasts.text(/release-notes improved from/, { timeout: 300_000 });
    assert.match(said, /from 0 % to \d+ % on 8 held-out tasks/u);
    await picture('proposed');
    assert.equal(readSkill(), emptySkill, 'a run edits nothing');
  });

  it('shows the verdict in the tree, and the edit is accepted inline, undone and done again', async () => {
    const improved = /release-notes improved from/;
    await actions.take('Review Edits', () => workbench.toasts.press(improved, 'Review Edits'));
    await eventually(async () => (await workbench.diff.state()).mode === 'inline', 'the diff is inline');
    await eventually(
      async () => (await rowTexts(workbench)).join(' | ').includes('Accept'),
      'edits have their buttons',
    );
    await workbench.tree('Skills').row('Gate: improved');
    await picture('review');
    if (process.env['WHETSTONE_PICTURES'] === '1') copyFileSync(shot('review', 1280), 'docs/pictures/sessions.png');
    await actions.take('Accept', () => pressIn(workbench, /1 of \d/, 'Accept'));
    await eventually(() => readSkill().includes('Upgrade:'), 'the accepted edit is on disk');
    const accepted = readSkill();
    assert.ok(accepted.startsWith(emptySkill), accepted);
    await picture('accepted');
    await workbench.press('Control+Z');
    await eventually(() => readSkill() === emptySkill, 'the skill is as it was');
    await workbench.press('Control+Y');
    await eventually(() => readSkill() === accepted, 'the edit is in the file again');
    await eventually(async () => (await workbench.page.locator('.tab.dirty').count()) === 0, 'nothing is left unsaved');
    await actions.take('Accept All', () => workbench.lenses.click(/Accept (?:All|Rest)/));
    await eventually(() => readSkill().length > accepted.length, 'the rest of what was proved is in the file');
    await eventually(
      async () => !/not measured/u.test(await described('release-notes')),
      'what is in the file is what was proved',
    );
    await picture('adopted');
    await eventually(async () => (await workbench.page.locator('.tab.dirty').count()) === 0, 'nothing is left unsaved');
  });

  it('offers the skill that agents used and that was corrected before the others, and counts them all', async () => {
    await workbench.clearToasts();
    await workbench.run('workbench.action.closeAllEditors');
    await workbench.palette('Whetstone: Show Which Skills Agents Used');
    const tree = workbench.tree('Skills');
    await tree.collapse('release-notes');
    await tree.expand('Usage');
    await tree.row('Usage');
    await picture('usage');
    const used = (await tree.rows()).filter(({ level }) => level === 2);
    assert.deepEqual(
      used.map(({ label, description }) => `${label}: ${description.replace(/\d+ tokens/u, 'n tokens')}`),
      [
        'release-notes: 19× · 18 corrected · n tokens',
        'commit-words: home · 2× · n tokens',
        'api-pages: never used · n tokens',
      ],
    );
    await workbench.palette('Whetstone: Optimize This Skill');
    const [first = '', second = ''] = await workbench.quickInput.items();
    assert.match(first, /^release-notes[^]*used 19 times, corrected 18 times in your sessions/u);
    assert.match(second, /^api-pages/u);
    await picture('offered');
    await workbench.quickInput.dismiss();
  });

  it('takes the yes to sending back where it takes back that to reading', async () => {
    const consents = (): string => readFileSync(path.join(workbench.session.state, 'consents.json'), 'utf8');
    assert.match(consents(), /sending sessions to a model/u);
    await workbench.palette('Whetstone: Choose Which Agent Sessions May Be Read');
    await workbench.dialogs.press('Choose');
    await workbench.quickInput.offers('to 1 model that you allowed');
    await picture('take-back');
    await workbench.quickInput.choose('Their words may be sent');
    await workbench.press('Enter');
    await eventually(() => !consents().includes('sending sessions'), 'it is no longer allowed');
  });

  it('left every file of the home as it was, and the pasted key nowhere', () => {
    assert.deepEqual(stateOf(workbench.session.home), home);
    assert.ok(!JSON.stringify(server.getRequests()).includes(pastedKey), 'it was never sent');
    const own = [workspace(), workbench.session.state];
    assert.deepEqual(
      own.flatMap(filesBelow).filter((each) => readFileSync(each).includes(pastedKey)),
      [],
    );
  });

  function workspace(): string {
    return workbench.session.workspace ?? assert.fail('the window has a folder');
  }

  function file(name: string): string {
    return path.join(path.dirname(path.join(workspace(), skill)), name);
  }

  function readSkill(): string {
    return readFileSync(path.join(workspace(), skill), 'utf8');
  }

  function completions(): readonly string[] {
    return server
      .getRequests()
      .filter(({ path: asked }) => asked.endsWith('/chat/completions'))
      .map(({ body }) => JSON.stringify(body));
  }

  async function described(label: string): Promise<string> {
    return (await workbench.tree('Skills').rows()).find((row) => row.label === label)?.description ?? '';
  }

  /** Of a usual window and of a small one; the usual one stays. A toast stays too, while the pointer is on it; one that goes just then is in no picture. */
  async function picture(stop: string): Promise<void> {
    const toast = workbench.page.locator('.notification-toast .notification-list-item-message').first();
    const dialog = workbench.page.locator('.monaco-dialog-box');
    const isShown = (await toast.isVisible()) && !(await dialog.isVisible());
    const isHeld = isShown && (await isDone(toast.hover({ timeout: 5_000 })));
    if (!isHeld) await workbench.page.mouse.move(640, 2); // no tooltip in it
    for (const size of sizes.toReversed()) {
      await workbench.page.setViewportSize(size);
      await workbench.screenshot(`sessions-${stop}-${size.width}`);
    }
  }
});

function isDone(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** A shop with two skills, and a third in the home. */
async function openShop(): Promise<Workbench> {
  const base = mkdtempSync(path.join(tmpdir(), 'whetstone-sessions-'));
  put(path.join(base, 'shop', skill), emptySkill);
  put(path.join(base, 'shop/.claude/skills/api-pages/SKILL.md'), otherSkill('api-pages', 'pages about the API'));
  try {
    const opened = await openWorkbench({ ...ours, workspace: path.join(base, 'shop') });
    const words = otherSkill('commit-words', 'the words of a commit');
    const ofHome = path.join(opened.session.home, '.claude/skills/commit-words/SKILL.md');
    put(ofHome, words);
    const now = Math.floor(Date.now() / 1000);
    utimesSync(ofHome, now - 100_000, now); // a time that can be set again to the letter
    return opened;
  } finally {
    rmSync(base, { recursive: true }); // the window has a copy
  }
}

function shot(stop: string, width: number): string {
  return path.resolve('out/screenshots', `sessions-${stop}-${width}.png`);
}

function otherSkill(name: string, about: string): string {
  return `---\nname: ${name}\ndescription: Writes ${about}.\n---\n\n# ${name}\n\nWrite ${about} in plain words.\n`;
}

function put(where: string, text: string): void {
  mkdirSync(path.dirname(where), { recursive: true });
  writeFileSync(where, text);
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
