import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import type { ReportPayload } from '../../webview/reportMessage.js';
import { neverAborted } from '../cancellation.js';
import { requestFor, type UseCasesSource } from '../workbench.js';
import { reportHtml } from './reportHtml.js';

interface Export {
  readonly skillPath: string;
  readonly format: 'html' | 'markdown';
  readonly payload: ReportPayload;
  readonly nonce: string;
}

/** Writes the report where the person says, as one file that needs nothing beside it. */
export async function exportReport(
  wanted: Export,
  parts: { readonly useCases: UseCasesSource; readonly extensionUri: vscode.Uri },
): Promise<void> {
  const ending = wanted.format === 'html' ? 'html' : 'md';
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, `${wanted.payload.data.skillName}-report.${ending}`),
    filters: wanted.format === 'html' ? { HTML: ['html'] } : { Markdown: ['md'] },
  });
  if (target === undefined) return;
  const text = wanted.format === 'html' ? await asHtml(wanted, parts.extensionUri) : await asMarkdown(wanted, parts);
  await vscode.workspace.fs.writeFile(target, Buffer.from(text, 'utf8'));
  const open = vscode.l10n.t('Open');
  const picked = await vscode.window.showInformationMessage(
    vscode.l10n.t('The report is written to {0}.', vscode.workspace.asRelativePath(target)),
    open,
  );
  if (picked === open) await vscode.commands.executeCommand('vscode.open', target);
}

async function asHtml({ payload, nonce }: Export, extensionUri: vscode.Uri): Promise<string> {
  const read = async (...path: readonly string[]): Promise<string> =>
    Buffer.from(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, ...path))).toString('utf8');
  const [script, style] = await Promise.all([read('dist', 'report.js'), read('media', 'report.css')]);
  return reportHtml(payload, nonce, { kind: 'inlined', script, style });
}

async function asMarkdown(
  { skillPath, payload }: Export,
  { useCases }: { readonly useCases: UseCasesSource },
): Promise<string> {
  const text = await (await useCases()).report({ ...requestFor(skillPath), run: payload.data.runId }, neverAborted());
  if (text !== undefined) return text;
  throw new UserError(
    'proposal-missing',
    vscode.l10n.t('No run of this skill left a report yet.'),
    vscode.l10n.t('Optimize the skill first.'),
  );
}
