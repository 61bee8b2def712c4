import * as vscode from 'vscode';
import { readText } from './candidateStore.js';
import { pause } from './pause.js';
import { plainText } from './plainText.js';

const patienceMs = 1_500;

/** A file as its editor has it and as it lies on disk. */
interface AgreedText {
  readonly real: vscode.TextDocument;
  readonly onDisk: string | undefined;
  /** False where the editor still shows another text, though nothing in it is unsaved. */
  readonly isAgreed: boolean;
}

/**
 * Another program may have written the file a moment ago: the editor is given the time to read it again, and is told to
 * where it did not hear of the change. For what the person asked for: telling it moves their focus for a moment.
 */
export async function agreeWithDisk(file: vscode.Uri): Promise<AgreedText> {
  const real = await vscode.workspace.openTextDocument(file);
  const agreed = await agreedSoon(real);
  if (agreed.isAgreed || agreed.onDisk === undefined) return agreed;
  await readAgain(real);
  return agreedSoon(real);
}

async function agreedSoon(real: vscode.TextDocument): Promise<AgreedText> {
  for (const started = Date.now(); ; await pause(50)) {
    const onDisk = await readText(real.uri);
    const isSame = onDisk !== undefined && plainText(onDisk) === plainText(real.getText());
    const isAgreed = real.isDirty || isSame;
    if (isAgreed || Date.now() - started > patienceMs) return { real, onDisk, isAgreed };
  }
}

/** VS Code misses changes in folders that were made while it was looking elsewhere, and reads again only what is in front. */
async function readAgain(real: vscode.TextDocument): Promise<void> {
  const hasTab = vscode.window.tabGroups.activeTabGroup.tabs.some(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === real.uri.toString(),
  );
  await vscode.window.showTextDocument(real, { preview: false });
  await vscode.commands.executeCommand('workbench.action.files.revert');
  const back = hasTab ? 'workbench.action.openPreviousRecentlyUsedEditorInGroup' : 'workbench.action.closeActiveEditor';
  await vscode.commands.executeCommand(back);
}
