import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { until } from '../until.js';

export const skillText =
  '---\nname: greeter\ndescription: Greets people.\n---\n\n# Greeter\n\nSay hello to people. Mention “harbour”.\n';

/** A skill of its own in the open folder, with the task files given; a test that is tried again gets another one. */
export function aSkill(name: string, files: Readonly<Record<string, string | object>>): string {
  const [workspace] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(workspace);
  const first = path.join(workspace.uri.fsPath, 'skills', name);
  const folder = existsSync(first) ? `${first}-again` : first;
  put(folder, { 'SKILL.md': skillText.replace('greeter', name), ...files });
  return path.join(folder, 'SKILL.md');
}

export function put(folder: string, files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(
      path.join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content, undefined, 2),
    );
  }
}

export function taskFile(skillPath: string, name: 'evals.json' | 'whetstone.json'): vscode.Uri {
  return vscode.Uri.file(path.join(path.dirname(skillPath), 'evals', name));
}

export interface EvalsJson {
  readonly evals: readonly {
    readonly id: string;
    readonly prompt: string;
    readonly expectations?: readonly string[];
  }[];
}
export interface WhetstoneJson {
  readonly tasks: Readonly<
    Record<
      string,
      { readonly draft?: boolean; readonly split?: string; readonly enabled?: boolean; readonly contentHash?: string }
    >
  >;
}

export function evalsOf(skillPath: string): EvalsJson['evals'] {
  const file: EvalsJson = JSON.parse(readFileSync(taskFile(skillPath, 'evals.json').fsPath, 'utf8'));
  return file.evals;
}

export function whetstoneOf(skillPath: string): WhetstoneJson['tasks'] {
  const file: WhetstoneJson = JSON.parse(readFileSync(taskFile(skillPath, 'whetstone.json').fsPath, 'utf8'));
  return file.tasks;
}

/** Our problems with a file, as `code line`. */
export function problemsIn(uri: vscode.Uri): readonly string[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source }) => source === 'Whetstone')
    .map(({ code, range }) => `${typeof code === 'string' ? code : ''} ${range.start.line + 1}`);
}

export function codesIn(...uris: readonly vscode.Uri[]): ReadonlySet<string> {
  return new Set(uris.flatMap((uri) => problemsIn(uri).map((problem) => problem.split(' ')[0] ?? '')));
}

export async function chooseSimulated(): Promise<void> {
  await vscode.extensions.getExtension('whetstone.whetstone')?.activate();
  await vscode.workspace
    .getConfiguration()
    .update('whetstone.model.target', 'simulated', vscode.ConfigurationTarget.Global);
}

/** The two sides of the diff in front. */
export async function diffInFront(title: RegExp): Promise<readonly [string, string]> {
  const tab = await until(() => {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    return activeTab !== undefined && title.test(activeTab.label) ? activeTab : undefined;
  }, `a tab ${title}`);
  assert.ok(tab.input instanceof vscode.TabInputTextDiff);
  const texts = [tab.input.original, tab.input.modified].map(async (uri) =>
    (await vscode.workspace.openTextDocument(uri)).getText(),
  );
  const [left = '', right = ''] = await Promise.all(texts);
  return [left, right];
}

/** A page that was opened, with what it holds now. */
export interface OpenedPage {
  readonly title: () => string;
  readonly text: () => string;
  readonly html: () => string;
}

/** Runs `work` and gives the pages that it opened: what is inside a page cannot be read from outside. */
export async function pagesOf(work: () => PromiseLike<unknown>): Promise<readonly OpenedPage[]> {
  const pages: OpenedPage[] = [];
  const open = vscode.window.createWebviewPanel;
  const noting: typeof open = (...given) => {
    const panel = open(...given);
    const html = (): string => panel.webview.html;
    pages.push({
      title: () => panel.title,
      html,
      text: () =>
        html()
          .replace(/^[\s\S]*<body>/, '')
          .replaceAll(/<[^>]*>/g, ' '),
    });
    return panel;
  };
  Object.assign(vscode.window, { createWebviewPanel: noting });
  try {
    await work();
    return pages;
  } finally {
    Object.assign(vscode.window, { createWebviewPanel: open });
  }
}
