import * as vscode from 'vscode';
import { runCommand } from '../commands/runCommand.js';

/** Under which the folder of a demo is remembered until its window opens. */
export const demoKey = 'whetstone.demo';
const firstSkill = ['.claude', 'skills', 'incident-summary', 'SKILL.md'] as const;

/** In the window that “Try the Demo” opened: shows the skill and trains it, once. Elsewhere it does nothing. */
export async function continueDemo(memory: vscode.Memento): Promise<void> {
  const wanted = memory.get<string>(demoKey);
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (wanted === undefined || folder?.uri.fsPath !== wanted) return;
  await memory.update(demoKey, undefined);
  const skill = vscode.Uri.joinPath(folder.uri, ...firstSkill);
  await vscode.window.showTextDocument(skill, { preview: false });
  if (vscode.workspace.isTrusted) await runCommand('whetstone.optimize', skill.fsPath);
}
