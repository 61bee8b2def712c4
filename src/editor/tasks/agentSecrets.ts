import * as vscode from 'vscode';
import { nameOfFile, type FileWithSecrets } from '../../errors.js';
import { neverAborted } from '../cancellation.js';
import { showInformation, showWarning } from '../shown/messages.js';
import { pickOne } from '../shown/questions.js';
import { requestFor, type UseCasesSource } from '../workbench.js';

/** Opens the file of one of them, with the cursor at what looks like a secret. */
export async function showSecrets(files: readonly FileWithSecrets[]): Promise<void> {
  const rows = files.map((each) => ({ label: nameOfFile(each), description: each.kinds.join(', '), each }));
  const title = vscode.l10n.t('Which file?');
  const shown = rows.length > 1 ? (await pickOne(rows, { title }))?.each : files[0];
  if (shown === undefined) return;
  const selection = new vscode.Range(shown.line - 1, 0, shown.line - 1, 0);
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(shown.path), { selection, preview: false });
  } catch {
    void showWarning(vscode.l10n.t('{0} is no longer there: the commit that a task starts from holds it.', shown.file));
  }
}

/**
 * The command “Allow Files with Secrets”: lets agents have them as they are now, after one more question. Where the contents
 * are named by their hashes, none that changed since is asked about.
 */
export async function allowSecrets(
  skillPath: string,
  hashes: readonly string[] | undefined,
  source: UseCasesSource,
): Promise<void> {
  const useCases = await source();
  const request = requestFor(skillPath);
  const found = await useCases.agentSecrets({ ...request, allowing: false }, neverAborted());
  const asked = found.files.filter(({ hash }) => hashes?.includes(hash) ?? true);
  if (asked.length === 0) {
    void showInformation(
      found.allowedBefore === 0
        ? vscode.l10n.t('No file that an agent would be given holds what looks like a secret.')
        : vscode.l10n.t(
            'No file that an agent would be given holds what looks like a secret, but for those that you allowed.',
          ),
    );
    return;
  }
  const allow = vscode.l10n.t('Allow These');
  const detail = [
    listed(asked).join('\n'),
    vscode.l10n.t(
      'What an agent sends to its server is not redacted. A yes is to exactly these contents, on this machine: you are asked again when one changes.',
    ),
  ];
  const question = vscode.l10n.t('May agents have these files, with what looks like secrets in them?');
  if ((await showWarning(question, { modal: true, detail: detail.join('\n\n') }, allow)) !== allow) return;
  const { files: allowed } = await useCases.agentSecrets(
    { ...request, allowing: asked.map(({ hash }) => hash) },
    neverAborted(),
  );
  void showInformation(vscode.l10n.t('Files that agents may have from now on: {0}. Start it again.', allowed.length));
}

const mostListed = 20; // what a question has room for

function listed(files: readonly FileWithSecrets[]): readonly string[] {
  const shown = files.slice(0, mostListed).map((each) => `${nameOfFile(each)} (${each.kinds.join(', ')})`);
  const more = files.length - shown.length;
  return more === 0 ? shown : [...shown, vscode.l10n.t('… and {0} more', more)];
}
