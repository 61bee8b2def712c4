import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { stageProposal, type StagedSkill, type StagePlace } from '../../builders/stageProposal.js';
import { visibleTexts } from '../driver/visibleTexts.js';
import type { Workbench } from '../driver/workbench.js';

/** The window's workspace and state, for staging proposals as a run would. */
export function placeOf({ session }: Workbench): StagePlace {
  if (session.workspace === undefined) throw new Error('the window has no folder');
  return { workspace: session.workspace, state: session.state, home: session.home };
}

export async function stage(workbench: Workbench, skill: StagedSkill): Promise<string> {
  return stageProposal(placeOf(workbench), skill);
}

/** Opens a proposal with the command of the palette, which asks which one where several wait. */
export async function openReview(workbench: Workbench, name: string): Promise<void> {
  await workbench.palette('View: Close All Editors');
  await workbench.palette('Whetstone: Refresh Skills');
  await workbench.palette('Whetstone: Review Proposed Edits');
  const tab = workbench.page.locator('.tab.active', { hasText: new RegExp(`^${name}: \\d+ edits? proposed`) });
  const question = workbench.page.locator('.quick-input-widget:visible', { hasText: 'Which proposal?' });
  await tab.or(question).first().waitFor();
  if (await question.isVisible()) await workbench.quickInput.choose(`${name}/SKILL.md`);
  await tab.waitFor();
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

export async function pressIn(workbench: Workbench, row: RegExp, button: string): Promise<void> {
  await rows(workbench).filter({ hasText: row }).first().locator('a', { hasText: button }).first().click();
}

export function readSkill(workbench: Workbench, name: string): string {
  return readFileSync(path.join(placeOf(workbench).workspace, '.claude/skills', name, 'SKILL.md'), 'utf8');
}

/** Waits until the file on disk is what the test expects; says what it is where it never becomes so. */
export async function waitForSkill(
  workbench: Workbench,
  name: string,
  holds: (text: string) => boolean,
): Promise<void> {
  const started = Date.now();
  while (!holds(readSkill(workbench, name))) {
    if (Date.now() - started > 15_000) throw new Error(`in vain, the file is:\n${readSkill(workbench, name)}`);
    await workbench.page.waitForTimeout(50);
  }
}

function rows(workbench: Workbench): Locator {
  return workbench.page.locator('.monaco-diff-editor .codelens-decoration:visible');
}
