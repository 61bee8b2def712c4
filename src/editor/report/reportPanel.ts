import * as vscode from 'vscode';
import { runCommand } from '../commands/runCommand.js';
import { UserError } from '../../errors.js';
import type { ReportPayload } from '../../webview/reportMessage.js';
import { reportHtml } from './reportHtml.js';
import { requestFor, type UseCasesSource } from '../workbench.js';
import { candidateTable, reportWords, typesTable } from './reportWords.js';
import { neverAborted } from '../cancellation.js';
import { figureLines, retoldReport, verdictReport } from '../../wording/verdictReport.js';
import { retold, t } from '../../wording/translate.js';
import { shownLine } from '../../wording/shownText.js';
import { showInformation } from '../shown/messages.js';
import { pickOne } from '../shown/questions.js';

export interface ReportParts {
  readonly useCases: UseCasesSource;
  readonly extensionUri: vscode.Uri;
}

/** Opens the report of a run, of the last one where none is named. It is a picture of that moment. */
export async function showTrainingReport(
  { skillPath, runId }: { readonly skillPath: string; readonly runId: string | undefined },
  parts: ReportParts,
): Promise<void> {
  const payload = await reportPayload(skillPath, runId, parts);
  const title = vscode.l10n.t('Report: {0}', payload.data.skillName);
  const roots = ['dist', 'media'].map((folder) => vscode.Uri.joinPath(parts.extensionUri, folder));
  const panel = vscode.window.createWebviewPanel('whetstone.report', shownLine(title), vscode.ViewColumn.Active, {
    enableScripts: true,
    localResourceRoots: roots,
  });
  const { webview } = panel;
  const address = (...path: readonly string[]): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(parts.extensionUri, ...path)).toString();
  webview.html = reportHtml(payload, newNonce(), {
    kind: 'linked',
    script: address('dist', 'report.js'),
    style: address('media', 'report.css'),
    source: webview.cspSource,
  });
  const listening = webview.onDidReceiveMessage((message: unknown) => {
    const format = formatOf(message);
    if (format !== undefined) void runCommand('whetstone.exportReport', { skillPath, runId, format });
  });
  panel.onDidDispose(() => listening.dispose());
}

/** Saves the report as a file of the person's choice. */
export async function exportTrainingReport(
  wanted: { readonly skillPath: string; readonly runId?: string | undefined; readonly format?: string | undefined },
  parts: ReportParts,
): Promise<void> {
  const { skillPath, runId } = wanted;
  const format = formatOf({ kind: 'export', format: wanted.format }) ?? (await askFormat());
  if (format === undefined) return;
  const payload = await reportPayload(skillPath, runId, parts);
  await exportReport({ skillPath, format, payload, nonce: newNonce() }, parts);
}

async function reportPayload(
  skillPath: string,
  run: string | undefined,
  { useCases }: ReportParts,
): Promise<ReportPayload> {
  const data = await (await useCases()).reportData({ ...requestFor(skillPath), run });
  if (data !== undefined) {
    const candidates = candidateTable(data.candidates, t);
    const types = typesTable(data.byType, t);
    return { data: inLanguage(data), words: reportWords(t, vscode.env.language), candidates, types };
  }
  throw new UserError(
    'proposal-missing',
    vscode.l10n.t('No run of this skill left a report yet.'),
    vscode.l10n.t('Optimize the skill first.'),
  );
}

/** What the run said, in the person's language; what a model wrote stays as it is. */
function inLanguage(data: ReportPayload['data']): ReportPayload['data'] {
  const { verdict, sealed, models, heat } = data;
  const report = verdict === undefined ? undefined : retoldReport(verdictReport(verdict, sealed, models));
  return {
    ...data,
    reason: retold(data.reason),
    notes: data.notes.map(retold),
    settled: data.settled.map(retold),
    heat: { ...heat, columns: heat.columns.map((column) => ({ ...column, label: retold(column.label) })) },
    shown:
      report === undefined
        ? data.shown
        : { ...data.shown, lines: figureLines(report, t), cure: report.cure, warnings: report.warnings },
  };
}

type Format = 'html' | 'markdown';

async function askFormat(): Promise<Format | undefined> {
  const items = [
    { label: vscode.l10n.t('One HTML File'), format: 'html' as const },
    { label: vscode.l10n.t('Markdown for a Pull Request'), format: 'markdown' as const },
  ];
  return (await pickOne(items, { title: vscode.l10n.t('Export the report') }))?.format;
}

function formatOf(message: unknown): Format | undefined {
  const format = textIn(message, 'kind') === 'export' ? textIn(message, 'format') : undefined;
  return format === 'html' || format === 'markdown' ? format : undefined;
}

function textIn(value: unknown, name: string): string | undefined {
  const field: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof field === 'string' ? field : undefined;
}

function newNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

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
  const picked = await showInformation(
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
