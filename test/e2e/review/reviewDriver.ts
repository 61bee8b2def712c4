import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { stageProposal, type StagedSkill, type StagePlace } from '../../builders/stageProposal.js';
import { again } from '../driver/again.js';
import { openWorkbench } from '../driver/openWorkbench.js';
import { ours } from '../driver/ours.js';
import { patienceMs } from '../driver/patience.js';
import { visibleTexts } from '../driver/visibleTexts.js';
import type { Workbench } from '../driver/workbench.js';

/**
 * A window for scripts that stage their own skills; they may share it, and what one staged is gone for the next. With the
 * full numbers it has no others; in the short ones it is that of the results before, because a start takes its time.
 */
export async function openForReviews(): Promise<Workbench> {
  const workspace = process.env['WHETSTONE_FULL'] === '1' ? 'no-skills' : path.resolve('media/demo');
  const workbench = await openWorkbench({ ...ours, workspace, takesOver: true });
  rmSync(path.join(placeOf(workbench).workspace, '.claude/skills'), { recursive: true, force: true });
  return workbench;
}

/** The window's workspace and state, for staging proposals as a run would. */
export function placeOf({ session }: Workbench): StagePlace {
  if (session.workspace === undefined) throw new Error('the window has no folder');
  return { workspace: session.workspace, state: session.state, home: session.home };
}

export async function stage(workbench: Workbench, skill: StagedSkill): Promise<string> {
  return stageProposal(placeOf(workbench), skill);
}

/** Opens a proposal, and nothing else beside it. */
export async function openReview(workbench: Workbench, name: string): Promise<void> {
  await workbench.run('workbench.action.closeAllEditors');
  await workbench.run('whetstone.refresh');
  await workbench.run('whetstone.review', skillFile(workbench, name));
  await tabOf(workbench, name).waitFor();
  await rows(workbench).first().waitFor();
}

/** With the command of the palette, which asks which one where several wait; again where the window lost the question. */
export async function chooseReview(workbench: Workbench, name: string): Promise<void> {
  await workbench.palette('Whetstone: Refresh Skills');
  const tab = tabOf(workbench, name);
  const question = workbench.page.locator('.quick-input-widget:visible', { hasText: 'Which proposal?' });
  await again(async () => {
    await workbench.palette('Whetstone: Review Proposed Edits');
    await tab.or(question).first().waitFor({ timeout: 10_000 });
    if (await question.isVisible()) await workbench.quickInput.choose(`${name}/SKILL.md`, { timeout: 5_000 });
    await tab.waitFor({ timeout: 10_000 });
  });
  await rows(workbench).first().waitFor();
}

/** The texts of the rows in the diff, top to bottom. */
export async function rowTexts(workbench: Workbench): Promise<readonly string[]> {
  await rows(workbench).first().waitFor();
  return visibleTexts(workbench.page.locator('.monaco-diff-editor .codelens-decoration'));
}

/** Waits until a row says this. */
export async function waitForRow(workbench: Workbench, text: RegExp): Promise<void> {
  await rows(workbench).filter({ hasText: text }).first().waitFor();
}

/** Presses a button of a row. Rows that stand on one line are one for VS Code: “Accept” is not “Accept All”. */
export async function pressIn(workbench: Workbench, row: RegExp, button: string): Promise<void> {
  const label = new RegExp(`^\\W*${button}(?!\\W+(?:All|Rest))\\b`);
  await rows(workbench).filter({ hasText: row }).first().locator('a', { hasText: label }).first().click();
}

export function readSkill(workbench: Workbench, name: string): string {
  return readFileSync(skillFile(workbench, name), 'utf8');
}

function skillFile(workbench: Workbench, name: string): string {
  return path.join(placeOf(workbench).workspace, '.claude/skills', name, 'SKILL.md');
}

function tabOf({ page }: Workbench, name: string): Locator {
  return page.locator('.tab.active', { hasText: new RegExp(`^${name}: \\d+ proposed edits?`) });
}

/** Waits until the file on disk is what the test expects; says what it is where it never becomes so. */
export async function waitForSkill(
  workbench: Workbench,
  name: string,
  holds: (text: string) => boolean,
  waitMs = patienceMs,
): Promise<void> {
  const started = Date.now();
  while (!holds(readSkill(workbench, name))) {
    if (Date.now() - started > waitMs) throw new Error(`in vain, the file is:\n${readSkill(workbench, name)}`);
    await workbench.page.waitForTimeout(50);
  }
}

function rows(workbench: Workbench): Locator {
  return workbench.page.locator('.monaco-diff-editor .codelens-decoration:visible');
}
