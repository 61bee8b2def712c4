import * as vscode from 'vscode';
import { signalOf, neverAborted } from '../cancellation.js';
import { requestFor } from '../workbench.js';
import { runRequestFor, tellResult, type RunParts } from './optimizeCommand.js';
import { progressMessage } from './progressMessage.js';

/** Goes on with a certification that a cap cut off, at the pass where it stood. */
export async function gatherEvidence(skillPath: string, { workshop, overviews }: RunParts): Promise<void> {
  const result = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: vscode.l10n.t('Gathering more evidence'),
    },
    async (progress, token) => {
      const { signal, dispose } = signalOf(token);
      try {
        return await (
          await workshop()
        ).gather(
          runRequestFor(skillPath),
          (_event, summary) => {
            progress.report({ message: progressMessage(summary, undefined) });
            overviews.showRun(skillPath, summary);
          },
          signal,
        );
      } catch (error) {
        if (signal.aborted) throw new vscode.CancellationError();
        throw error;
      } finally {
        dispose();
        overviews.showRun(skillPath, undefined);
        overviews.refresh(skillPath);
      }
    },
  );
  void tellResult(result, skillPath);
}

/** The person's recorded decision: certify more often against the same held-out tasks. */
export async function refillErrorBudget(skillPath: string, { workshop, overviews }: RunParts): Promise<void> {
  const reason = await vscode.window.showInputBox({
    title: vscode.l10n.t('Refill the error budget of this skill'),
    prompt: vscode.l10n.t(
      'Each certification against the same held-out tasks lets luck through a little more often. New tasks are the better cure. Say why you refill; it is written down.',
    ),
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('A reason, so that you know it later.') : undefined),
  });
  if (reason === undefined) return;
  await (await workshop()).refillErrorBudget({ ...requestFor(skillPath), reason: reason.trim() }, neverAborted());
  overviews.refresh(skillPath);
}
