import * as vscode from 'vscode';
import type { OptimizeResult, RunRequest } from '../../workshop/workshop.js';
import { signalOf } from '../cancellation.js';
import type { Overviews } from '../overviews.js';
import { readSettings } from '../settings.js';
import { requestFor, type WorkshopSource } from '../workbench.js';
import { confirmRun } from './confirmRun.js';
import { progressMessage } from './progressMessage.js';

export interface RunParts {
  readonly workshop: WorkshopSource;
  readonly overviews: Overviews;
}

/** Trains one skill with a cancellable notification, and says at the end what to do next. Opens nothing by itself. */
export async function optimizeSkillInEditor(skillPath: string, parts: RunParts): Promise<OptimizeResult | undefined> {
  await saveIfDirty(skillPath);
  const request = runRequestFor(skillPath);
  const workshop = await parts.workshop();
  if (!(await confirmRun(workshop, request))) return undefined;
  const result = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: vscode.l10n.t('Optimizing {0}', nameOf(skillPath)),
    },
    async (progress, token) => {
      const { signal, dispose } = signalOf(token);
      try {
        return await workshop.optimize(
          request,
          (_event, summary) => {
            progress.report({ message: progressMessage(summary, undefined) });
            parts.overviews.showRun(skillPath, summary);
          },
          signal,
        );
      } catch (error) {
        if (signal.aborted) throw new vscode.CancellationError();
        throw error;
      } finally {
        dispose();
        parts.overviews.showRun(skillPath, undefined);
        parts.overviews.refresh(skillPath);
      }
    },
  );
  void tellResult(result, skillPath);
  return result;
}

/** The settings of the window as a run request. */
export function runRequestFor(skillPath: string): RunRequest {
  const settings = readSettings(vscode.Uri.file(skillPath));
  const preset = settings['whetstone.preset'];
  return {
    ...requestFor(skillPath),
    preset: preset === 'quick' || preset === 'paper' ? preset : 'standard',
    settings: [
      {
        gate: { rule: settings['whetstone.gate.rule'], noRegression: settings['whetstone.gate.noRegression'] },
        preferences: settings['whetstone.preferences'],
        caps: {
          ...(settings['whetstone.caps.runTokens'] === null ? {} : { tokens: settings['whetstone.caps.runTokens'] }),
          ...(settings['whetstone.caps.runUsd'] === null ? {} : { usd: settings['whetstone.caps.runUsd'] }),
        },
      },
    ],
    purpose: 'optimize',
    trusted: vscode.workspace.isTrusted,
  };
}

/** Says how a run ended and what comes next. Opens nothing by itself. */
export async function tellResult({ proposal, nothing }: OptimizeResult, skillPath: string): Promise<void> {
  const name = nameOf(skillPath);
  if (proposal === undefined) {
    await vscode.window.showInformationMessage(
      vscode.l10n.t('{0}: nothing is proposed. {1}', name, nothing?.reason ?? ''),
    );
    return;
  }
  const review = vscode.l10n.t('Review Edits');
  const message = `${name}: ${proposal.verdict.reason}`;
  const picked = await vscode.window.showInformationMessage(message, review);
  if (picked === review) await vscode.commands.executeCommand('whetstone.review', skillPath);
}

/** A run reads the file on disk; what stands in the editor should be what is trained. */
async function saveIfDirty(skillPath: string): Promise<void> {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.fsPath === skillPath && each.isDirty);
  if (document === undefined) return;
  const save = vscode.l10n.t('Save and Optimize');
  const picked = await vscode.window.showWarningMessage(
    vscode.l10n.t('{0} has unsaved changes. A run trains the file on disk.', nameOf(skillPath)),
    { modal: true },
    save,
  );
  if (picked !== save || !(await document.save())) throw new vscode.CancellationError();
}

function nameOf(skillPath: string): string {
  const parts = skillPath.split(/[\\/]/);
  return (parts.at(-1) === 'SKILL.md' ? parts.at(-2) : parts.at(-1)) ?? skillPath;
}
