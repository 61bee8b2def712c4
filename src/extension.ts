import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { registerCommand } from './editor/registerCommand.js';
import { SkillCatalog } from './editor/skillCatalog.js';
import { SkillsTree } from './editor/tree/skillsTree.js';

/** Wires the editor. Reads no file and asks no network: what is shown is looked up when it is first shown. */
export function activate(context: vscode.ExtensionContext): void {
  const own = <T extends vscode.Disposable>(disposable: T): T => {
    context.subscriptions.push(disposable);
    return disposable;
  };
  const catalog = own(new SkillCatalog((path) => realpath(path).catch(() => path)));
  const tree = own(new SkillsTree(catalog));
  own(vscode.window.createTreeView('whetstone.skills', { treeDataProvider: tree, showCollapseAll: true }));
  own(registerCommand('whetstone.refresh', () => catalog.refresh()));
}
