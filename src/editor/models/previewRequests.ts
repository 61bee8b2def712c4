import * as vscode from 'vscode';
import { neverAborted } from '../cancellation.js';
import { runRequestFor } from '../run/optimizeCommand.js';
import type { VirtualTexts } from '../virtualTexts.js';
import type { UseCasesSource } from '../workbench.js';

/** The command “Preview What Is Sent”: the requests of a run as a read-only document, secrets already replaced. */
export async function previewRequests(
  skillPath: string,
  { useCases, texts }: { readonly useCases: UseCasesSource; readonly texts: VirtualTexts },
): Promise<void> {
  const { text } = await (await useCases()).preview(runRequestFor(skillPath), neverAborted());
  const document = texts.add(`${vscode.l10n.t('What is sent')}.md`, text);
  await vscode.window.showTextDocument(document, { preview: true });
}
