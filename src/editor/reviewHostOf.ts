import * as vscode from 'vscode';
import { UserError } from '../errors.js';
import type { Verdict } from '../gate/verdict.js';
import { neverAborted, signalOf } from './cancellation.js';
import type { Overviews } from './overviews.js';
import type { MeasureRequest, ReviewHost } from './review/reviewHost.js';
import { runRequestFor } from './run/optimizeCommand.js';
import { progressMessage } from './run/progressMessage.js';
import type { SkillCatalog } from './skillCatalog.js';
import { requestFor, type WorkshopSource } from './workbench.js';

interface HostParts {
  readonly storage: vscode.Uri;
  readonly workshop: WorkshopSource;
  readonly overviews: Overviews;
  readonly catalog: SkillCatalog;
}

/** What the review room asks of the rest of Whetstone, answered by the workshop. */
export function reviewHostOf({ storage, workshop, overviews, catalog }: HostParts): ReviewHost {
  return {
    storage,
    onDidChange: overviews.onDidChange,
    pending: async (skillPath) => (await overviews.of(skillPath)).pending,
    waiting: async () => {
      const skills = await catalog.skills();
      const found = await Promise.all(
        skills.map(async ({ realPath }) => ({
          realPath,
          overview: await overviews.of(realPath).catch(() => undefined),
        })),
      );
      return found.filter(({ overview }) => overview?.pending !== undefined).map(({ realPath }) => realPath);
    },
    fileOf: (skillPath, _pending, document) =>
      document.kind === 'skill' ? skillPath : memoryFile(skillPath, document.path),
    decide: async (skillPath, decisions) => {
      await (await workshop()).decide({ ...requestFor(skillPath), decisions }, neverAborted());
      overviews.refresh(skillPath);
    },
    reopen: async (skillPath, proposal, edits) => {
      await (await workshop()).reopen({ ...requestFor(skillPath), proposal, edits }, neverAborted());
      overviews.refresh(skillPath);
    },
    noteAdoption: async (skillPath, change) => {
      await (await workshop()).noteAdoption({ ...requestFor(skillPath), ...change }, neverAborted());
      overviews.refresh(skillPath);
    },
    price: async ({ skillPath }) => {
      const preflight = await (await workshop()).preflight(runRequestFor(skillPath), neverAborted());
      const calls = preflight.tasks.heldOut * 2;
      const share = preflight.calls.low === 0 ? 0 : calls / preflight.calls.low;
      return { calls, usd: preflight.usd === undefined ? undefined : preflight.usd.low * share };
    },
    measure: (request) => measure(request, { workshop, overviews }),
    showReport: (skillPath) => showReport(skillPath, workshop),
  };
}

async function measure(
  { skillPath, before, after }: MeasureRequest,
  { workshop, overviews }: Pick<HostParts, 'workshop' | 'overviews'>,
): Promise<Verdict | undefined> {
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: vscode.l10n.t('Measuring what you accepted'),
    },
    async (progress, token) => {
      const { signal, dispose } = signalOf(token);
      try {
        const request = { ...runRequestFor(skillPath), before, after };
        const show = (_event: unknown, summary: Parameters<typeof progressMessage>[0]): void =>
          progress.report({ message: progressMessage(summary, undefined) });
        return await (await workshop()).measure(request, show, signal);
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      } finally {
        dispose();
        overviews.refresh(skillPath);
      }
    },
  );
}

/** The report of the last run, in the Markdown preview. */
export async function showReport(skillPath: string, workshop: WorkshopSource): Promise<void> {
  const text = await (await workshop()).report(requestFor(skillPath), neverAborted());
  if (text === undefined)
    throw new UserError(
      'proposal-missing',
      vscode.l10n.t('No run of this skill left a report yet.'),
      vscode.l10n.t('Optimize the skill first.'),
    );
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: text });
  await vscode.commands.executeCommand('markdown.showPreview', document.uri);
}

function memoryFile(skillPath: string, documentPath: string): string {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(skillPath));
  return folder === undefined ? documentPath : vscode.Uri.joinPath(folder.uri, documentPath).fsPath;
}
