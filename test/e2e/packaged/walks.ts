import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Actions } from '../driver/actions.js';
import { eventually } from '../driver/eventually.js';
import { openWorkbench, type WindowWishes } from '../driver/openWorkbench.js';
import { packaged } from '../driver/ours.js';
import type { Workbench } from '../driver/workbench.js';
import { pressIn, rowTexts } from '../review/reviewDriver.js';

/** What a walk is taken in, what it counts, and how it keeps a picture of each stop. */
export interface Walk {
  readonly workbench: Workbench;
  readonly actions: Actions;
  readonly picture: (stop: string) => Promise<unknown>;
}

/** A skill as people write their first: what it is for and a few rules, and nothing beside it. */
export const ownSkill = `---
name: release-notes
description: Writes release notes for the users of a product from the changes that were merged. Use when a release is near.
---

# Release notes

Write release notes from the merged changes.

- Group the changes by what they mean for a user.
- Leave out what no user can notice.
- Say what a user has to do.
`;

/** A window on a folder with nothing in it, with the packaged extension and no model chosen. */
export async function openEmptyFolder(look: Pick<WindowWishes, 'theme'> = {}): Promise<Workbench> {
  const base = mkdtempSync(path.join(tmpdir(), 'whetstone-walk-'));
  const workspace = path.join(base, 'my-project');
  mkdirSync(workspace);
  try {
    return await openWorkbench({ ...packaged, workspace, ...look });
  } finally {
    rmSync(base, { recursive: true }); // the window has a copy
  }
}

/** As if no model had been chosen yet, nothing been said, and nothing been opened. */
export async function startAnew(workbench: Workbench): Promise<void> {
  await workbench.clearToasts();
  await workbench.run('workbench.action.closeAllEditors');
  await workbench.updateSettings({ 'whetstone.model.target': undefined });
}

/** Puts the skill where agents look for it, and opens it. Gives its file. */
export async function openOwnSkill({ workbench }: Pick<Walk, 'workbench'>): Promise<string> {
  const file = path.join(workspaceOf(workbench), '.claude/skills/release-notes/SKILL.md');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, ownSkill);
  await workbench.openFile('.claude/skills/release-notes/SKILL.md');
  return file;
}

/** From an open SKILL.md that nothing lies beside to an edit in it. No model is chosen at first. */
export async function walkOwnSkill(walk: Walk, skillFile: string): Promise<void> {
  const { workbench, actions, picture } = walk;
  const { toasts, quickInput } = workbench;
  await picture('skill');
  await actions.take('Optimize This Skill', () => workbench.lenses.click('Optimize This Skill'));
  await toasts.text(/has no tasks yet/);
  await hasAWayOn(walk, 'no-tasks');
  await actions.take('Draft Tasks', () => toasts.press(/has no tasks yet/, 'Draft Tasks'));
  await quickInput.items();
  await picture('model');
  await actions.take('Simulated', () => quickInput.choose('Simulated'));
  await draftsAreReady(walk);
  await confirmOneByOne(walk);
  await optimizeAndAccept(walk, skillFile);
}

/** From a folder with nothing in it to an edit in a skill that is made on the way. Gives the skill's file. */
export async function walkEmptyFolder(walk: Walk): Promise<string> {
  const { workbench, actions, picture } = walk;
  const { toasts, quickInput } = workbench;
  const name = 'meeting-notes';
  await actions.take('New Skill', () => workbench.palette('Whetstone: New Skill'));
  await answer(walk, 'A name for the skill', name);
  await answer(walk, 'What does it do', 'Turns the transcript of a meeting into notes. Use after a call.');
  await answer(walk, 'What would a person ask', '');
  await toasts.text(/meeting-notes is ready/);
  await hasAWayOn(walk, 'made');
  await actions.take('Draft Tasks', () => toasts.press(/meeting-notes is ready/, 'Draft Tasks'));
  await quickInput.items();
  await picture('model');
  await actions.take('Simulated', () => quickInput.choose('Simulated'));
  await draftsAreReady(walk);
  await actions.take('Confirm All', () => toasts.press(/drafts are ready/, 'Confirm All'));
  await toasts.text(/10 tasks are confirmed/);
  await hasAWayOn(walk, 'confirmed');
  const file = path.join(workspaceOf(workbench), '.claude/skills', name, 'SKILL.md');
  await optimizeAndAccept(walk, file);
  return file;
}

/** Types into the box with this title, and ends it with Enter. */
async function answer({ workbench, actions, picture }: Walk, title: string, text: string): Promise<void> {
  await workbench.page.locator('.quick-input-widget:visible', { hasText: title }).waitFor();
  await workbench.quickInput.type(text);
  await picture(`asked-${title.replaceAll(/\W+/g, '-').toLowerCase()}`);
  await actions.take(title, () => workbench.press('Enter'));
}

async function draftsAreReady(walk: Walk): Promise<void> {
  assert.match(await walk.workbench.toasts.text(/drafts are ready/), /^10 drafts are ready\./);
  await hasAWayOn(walk, 'drafted');
}

/** Reads the first of the drafts, and says of all that they count. */
async function confirmOneByOne(walk: Walk): Promise<void> {
  const { workbench, actions, picture } = walk;
  await actions.take('Review Drafts', () => workbench.toasts.press(/drafts are ready/, 'Review Drafts'));
  assert.match(await workbench.dialogs.text(), /Draft 1 of 10[^]*A good answer:/);
  await picture('draft');
  await actions.take('Confirm All', () => workbench.dialogs.press('Confirm All 10 Left'));
  await workbench.toasts.text(/10 tasks are confirmed/);
  await hasAWayOn(walk, 'confirmed');
}

/** From confirmed tasks to an edit in the file. */
async function optimizeAndAccept(walk: Walk, skillFile: string): Promise<void> {
  const { workbench, actions, picture } = walk;
  const before = readFileSync(skillFile, 'utf8');
  const improved = new RegExp(`${path.basename(path.dirname(skillFile))} improved from`);
  await actions.take('Optimize This Skill', () => workbench.toasts.press(/tasks are confirmed/, 'Optimize This Skill'));
  await workbench.toasts.text(improved);
  await hasAWayOn(walk, 'proposed');
  assert.equal(readFileSync(skillFile, 'utf8'), before, 'a run edits nothing');
  await actions.take('Review Edits', () => workbench.toasts.press(improved, 'Review Edits'));
  await reviewIsOpen(workbench);
  await picture('review');
  await actions.take('Accept', () => pressIn(workbench, /1 of \d/, 'Accept'));
  await eventually(() => readFileSync(skillFile, 'utf8').length > before.length, 'the accepted edit is on disk');
  await eventually(
    async () => !(await rowTexts(workbench)).join(' | ').includes('E1 ·'),
    'what is decided has no buttons any more',
  );
  await picture('accepted');
}

/** From a window without a folder to all edits of the demo in its first skill. Installing is the first action. */
export async function walkDemo(walk: Walk, look: DemoLooks = {}): Promise<void> {
  const { workbench, actions, picture } = walk;
  await actions.take('install', async () => {}); // the window of the test has it
  await actions.take('Whetstone', () => workbench.openContainer('Whetstone'));
  await picture('welcome');
  const tryIt = workbench.page.locator('.welcome-view-content .monaco-button', { hasText: 'Try the Demo' }).first();
  await actions.take('Try the Demo', () => tryIt.click());
  await workbench.dialogs.text();
  await picture('where');
  await actions.take('Temporary Folder', () => workbench.dialogs.press('Temporary Folder'));
  // A new window first, then the run: each has its own patience.
  await workbench.toasts.text(/Optimizing incident-summary|incident-summary improved from/);
  await workbench.toasts.text(/incident-summary improved from/);
  await hasAWayOn(walk, 'proposed');
  await look.atVerdict?.();
  await actions.take('Review Edits', () => workbench.toasts.press(/incident-summary improved from/, 'Review Edits'));
  await workbench.editors.waitFor(/incident-summary/);
  await reviewIsOpen(workbench);
  await picture('review');
  await look.atReview?.();
  const file = demoFile(workbench, demoSkill);
  const before = readFileSync(file, 'utf8').length;
  await actions.take('Accept All', () => workbench.lenses.click('Accept All'));
  // Longer, not only another: while it is being written the file is empty for a moment.
  await eventually(() => readFileSync(file, 'utf8').length > before, 'the accepted edits are on disk');
  await picture('accepted');
}

/** What a script looks at on the way; none of it is an action. */
interface DemoLooks {
  readonly atVerdict?: () => Promise<void>;
  readonly atReview?: () => Promise<void>;
}

/** The skill that the demo trains first. */
export const demoSkill = '.claude/skills/incident-summary/SKILL.md';

/** The inline diff of a proposal, with the buttons of each edit. */
async function reviewIsOpen(workbench: Workbench): Promise<void> {
  await eventually(async () => (await workbench.diff.state()).mode === 'inline', 'the diff is inline');
  await eventually(async () => {
    const rows = (await rowTexts(workbench)).join(' | ');
    return rows.includes('Accept') && rows.includes('Reject');
  }, 'each edit has its row of actions');
}

/** Every message on the screen that something did not go, and every one that waits, has a button that leads on. */
async function hasAWayOn({ workbench, picture }: Walk, stop: string): Promise<void> {
  const toasts = workbench.page.locator('.notifications-toasts .notification-toast');
  await toasts.locator('.notification-list-item-message').first().hover(); // it stays while the pointer is on it
  await picture(stop);
  const stuck = await toasts.evaluateAll((nodes) =>
    nodes
      .filter((node) => node.querySelector('.notification-list-item-buttons-container .monaco-button') === null)
      .filter((node) => node.querySelector('.codicon-error, .codicon-warning') !== null)
      .map((node) => node.textContent ?? ''),
  );
  assert.deepEqual(stuck, [], 'a message without a button is a dead end');
}

function workspaceOf({ session }: Workbench): string {
  assert.ok(session.workspace, 'the window has a folder');
  return session.workspace;
}

/** The demo lies in a temporary folder whose name only the window knows. */
export function demoFile({ session }: Workbench, file: string): string {
  const temporary = path.join(session.folder, 'tmp');
  const [folder] = readdirSync(temporary).filter((name) => /^whetstone-(?!host)/.test(name));
  assert.ok(folder, 'there is a demo');
  return path.join(temporary, folder, 'whetstone-demo', file);
}
