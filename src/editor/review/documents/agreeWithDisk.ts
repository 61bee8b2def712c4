import * as vscode from 'vscode';
import { readText } from './candidateStore.js';
import { plainText } from '../../../review/proposalTexts.js';

const patienceMs = 1_500;

/** A file as its editor has it and as it lies on disk. */
interface AgreedText {
  readonly real: vscode.TextDocument;
  readonly onDisk: string | undefined;
  /** What it holds: an editor that did not hear of a change still shows what it held before. */
  readonly text: string;
  /** False where the editor still shows another text, though nothing in it is unsaved. */
  readonly isAgreed: boolean;
}

/**
 * Where the person asked for something that depends on the file: the editor is told to read it again if it did not hear
 * of a change, which moves their focus for a moment.
 */
export async function agreeWithDisk(file: vscode.Uri): Promise<AgreedText> {
  const agreed = await agreeSoon(file);
  if (agreed.isAgreed || agreed.onDisk === undefined) return agreed;
  await readAgain(agreed.real);
  return agreeSoon(file);
}

/** After the person had the file written: an editor that shows it shows what was written. */
export async function agreeIfOpen(file: vscode.Uri): Promise<void> {
  const isOpen = vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === file.toString());
  if (isOpen) await agreeWithDisk(file);
}

/** Another program may have written the file a moment ago: the editor is given the time to read it again. */
export async function agreeSoon(file: vscode.Uri): Promise<AgreedText> {
  const real = await vscode.workspace.openTextDocument(file);
  for (const started = Date.now(); ; await pause(50)) {
    const onDisk = await readText(real.uri);
    const isSame = onDisk !== undefined && plainText(onDisk) === plainText(real.getText());
    const isAgreed = real.isDirty || isSame;
    if (!isAgreed && Date.now() - started <= patienceMs) continue;
    return { real, onDisk, text: isAgreed ? real.getText() : (onDisk ?? real.getText()), isAgreed };
  }
}

/** VS Code misses changes in folders that were made while it was looking elsewhere, and reads again only what is in front. */
async function readAgain(real: vscode.TextDocument): Promise<void> {
  const { tabs, activeTab } = vscode.window.tabGroups.activeTabGroup;
  const isOfFile = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputText && input.uri.toString() === real.uri.toString();
  const isInFront = activeTab !== undefined && isOfFile(activeTab);
  const hasTab = tabs.some(isOfFile);
  await vscode.window.showTextDocument(real, { preview: false });
  await vscode.commands.executeCommand('workbench.action.files.revert');
  if (isInFront) return;
  const back = hasTab ? 'workbench.action.openPreviousRecentlyUsedEditorInGroup' : 'workbench.action.closeActiveEditor';
  await vscode.commands.executeCommand(back);
}

/** Waits without asking for anything; only where the editor gives no event to wait for. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
