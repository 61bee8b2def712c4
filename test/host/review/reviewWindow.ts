import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Edit } from '../../../src/skill/edits/edit.js';
import { until } from '../until.js';
import { stageProposal, type StagedSkill, type StagePlace } from '../../builders/stageProposal.js';

/** A proposal that is open for review in this window, as a person and as a program see it. */
export interface ReviewWindow {
  readonly skillPath: string;
  readonly file: vscode.Uri;
  readonly candidate: vscode.Uri;
}

/** A skill with two edits that are proposed for it, and what it becomes with both. */
export const twoEdits = {
  text: '---\nname: dates\ndescription: Writes dates.\n---\n\n# Dates\n\nUse the local order.\n\nName the month.\n\nKeep the year.\n',
  edits: [
    { op: 'replace', anchor: 'Use the local order.', content: 'Use ISO order.', rationale: 'Tasks wanted ISO.' },
    { op: 'append', content: 'Say the time zone.', rationale: 'Two tasks failed without it.' },
  ] satisfies readonly Edit[],
  whole:
    '---\nname: dates\ndescription: Writes dates.\n---\n\n# Dates\n\nUse ISO order.\n\nName the month.\n\nKeep the year.\n\nSay the time zone.\n',
};

export function place(): StagePlace {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const state = process.env['WHETSTONE_HOME'];
  assert.ok(folder !== undefined && state !== undefined, 'the window has a folder and a state of its own');
  return { workspace: folder.uri.fsPath, state, home: homedir() };
}

/** Stages a proposal and opens it with the command that people use. */
export async function reviewOf(skill: StagedSkill): Promise<ReviewWindow> {
  const skillPath = await stageProposal(place(), skill);
  staged.add(path.dirname(skillPath));
  return open(skillPath);
}

const staged = new Set<string>();

/** Opens the review; `shown` is the file on the left where that is not the skill itself. */
export async function open(skillPath: string, shown = skillPath): Promise<ReviewWindow> {
  await vscode.commands.executeCommand('whetstone.refresh');
  await vscode.commands.executeCommand('whetstone.review', skillPath);
  const input = await until(() => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return tab instanceof vscode.TabInputTextDiff && tab.original.fsPath === shown ? tab : undefined;
  }, 'the diff of the proposal is in front');
  await until(
    () => vscode.window.activeTextEditor?.document.uri.toString() === input.modified.toString(),
    'it has the focus',
  );
  return { skillPath, file: input.original, candidate: input.modified };
}

/** The titles of the lenses in a document, row by row, icons left out. */
export async function rowsOf(uri: vscode.Uri): Promise<readonly string[]> {
  return rowsIn(await lensesOf(uri));
}

function rowsIn(lenses: readonly vscode.CodeLens[]): readonly string[] {
  const rows = new Map<number, string[]>();
  for (const { range, command } of lenses) {
    const titles = rows.get(range.start.line) ?? [];
    titles.push(plain(command?.title ?? ''));
    rows.set(range.start.line, titles);
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, titles]) => titles.join(' | '));
}

/** Presses the lens with this word in the row that holds `row`, once it is there: as long as a step is on its way it is not. */
export async function press(uri: vscode.Uri, word: string, row: RegExp): Promise<void> {
  let seen: readonly vscode.CodeLens[] = [];
  const found = await until(
    async () => {
      seen = await lensesOf(uri);
      const line = seen.find(({ command }) => row.test(plain(command?.title ?? '')))?.range.start.line;
      return seen.find(({ range, command }) => range.start.line === line && plain(command?.title ?? '') === word)
        ?.command;
    },
    () => `the lens ${word} in the row ${row}: ${rowsIn(seen).join(' // ')}`,
  );
  await vscode.commands.executeCommand(found.command, ...(found.arguments ?? []));
}

export async function textOf(uri: vscode.Uri): Promise<string> {
  return (await vscode.workspace.openTextDocument(uri)).getText();
}

export async function onDisk(skillPath: string): Promise<string> {
  return readFile(skillPath, 'utf8');
}

/** Undo or redo in the proposal, where the person's focus is. */
export async function inProposal(command: 'undo' | 'redo'): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.compareEditor.focusSecondarySide');
  await vscode.commands.executeCommand(command);
}

export async function closeAll(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** After a test: nothing is open, and its skills are gone, which the window would look at anew with every decision after. */
export async function tidy(): Promise<void> {
  await closeAll();
  for (const folder of staged) await rm(folder, { recursive: true, force: true });
  staged.clear();
}

async function lensesOf(uri: vscode.Uri): Promise<readonly vscode.CodeLens[]> {
  return vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 1_000);
}

function plain(title: string): string {
  return title
    .replaceAll(/\$\([a-z-]+\)\s*/g, '')
    .replaceAll('\u00a0', ' ')
    .trim();
}

/** Two training and five held-out tasks beside a skill, which pass with this word in the answer. */
export function writeTasks(skillPath: string, word: string): void {
  const folder = path.join(path.dirname(skillPath), 'evals');
  mkdirSync(folder, { recursive: true });
  const names = ['Ada', 'Bo', 'Cem', 'Dora', 'Emil', 'Fay', 'Gus'];
  const evals = names.map((name) => ({ id: name, prompt: `When was ${name} born? The ${name} of ${name}town.` }));
  const tasks = names.map((name, index) => {
    const split = index < 2 ? 'training' : 'heldOut';
    return [name, { split, checks: [{ check: 'contains', text: word }] }] as const;
  });
  writeFileSync(
    path.join(folder, 'evals.json'),
    JSON.stringify({ skill_name: path.basename(path.dirname(skillPath)), evals }),
  );
  const mine = { format: 'whetstone.tasks', version: 1, tasks: Object.fromEntries(tasks) };
  writeFileSync(path.join(folder, 'whetstone.json'), JSON.stringify(mine));
}
