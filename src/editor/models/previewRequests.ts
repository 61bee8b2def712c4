import * as vscode from 'vscode';
import { neverAborted } from '../cancellation.js';
import { commandLink } from '../commands/runCommand.js';
import type { PreviewChoice } from '../commands/commands.js';
import { runRequestFor } from '../run/runRequestFor.js';
import type { VirtualTexts } from '../virtualTexts.js';
import type { UseCasesSource } from '../workbench.js';

/**
 * The command “Preview What Is Sent”: the requests of a run as a read-only document, secrets already replaced. To be read,
 * or as the JSON that goes over the wire; a row above the text switches. Gives the document.
 */
export async function previewRequests(
  { skillPath, as = 'text' }: PreviewChoice & { readonly skillPath: string },
  { useCases, texts }: { readonly useCases: UseCasesSource; readonly texts: VirtualTexts },
): Promise<string> {
  const preview = await (await useCases()).preview(runRequestFor(skillPath), neverAborted());
  const other =
    as === 'json'
      ? commandLink('whetstone.previewRequests', vscode.l10n.t('Show as Text'), { skillPath, as: 'text' })
      : commandLink('whetstone.previewRequests', vscode.l10n.t('Show as JSON'), { skillPath, as: 'json' });
  const document = texts.show(`preview ${skillPath}`, {
    name: `${vscode.l10n.t('What is sent')}.md`,
    text: as === 'json' ? preview.json : preview.text,
    link: other,
  });
  await vscode.window.showTextDocument(document, { preview: false });
  return document.toString();
}
