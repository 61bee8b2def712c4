import * as vscode from 'vscode';
import { commandLink } from '../commands/runCommand.js';
import type { Row } from '../tree/row.js';
import { rowItem } from '../tree/rowItem.js';
import { modelRoles, roleWords, type ModelRole } from './roles.js';

/** The smallest view: which model plays which role. A click on a row chooses another. */
export class ModelsTree implements vscode.TreeDataProvider<ModelRole>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #disposable = vscode.Disposable.from(
    this.#changed,
    vscode.window.createTreeView('whetstone.models', { treeDataProvider: this }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('whetstone.model')) this.#changed.fire();
    }),
  );

  getTreeItem(role: ModelRole): vscode.TreeItem {
    return rowItem(`model:${role}`, modelRow(role));
  }

  getChildren(role?: ModelRole): ModelRole[] {
    return role === undefined ? [...modelRoles] : [];
  }

  dispose(): void {
    this.#disposable.dispose();
  }
}

/** A role with the model that plays it. */
export function modelRow(role: ModelRole): Row {
  const { label, detail, chosen } = roleWords(role);
  return {
    label,
    description: chosen,
    icon: icons[role],
    contextValue: 'model',
    says: `${label}: ${chosen}. ${detail}`,
    command: commandLink('whetstone.chooseModel', vscode.l10n.t('Choose Model'), role),
  };
}

const icons: Readonly<Record<ModelRole, string>> = { target: 'target', optimizer: 'wand', judge: 'law' };
