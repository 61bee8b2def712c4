import * as vscode from 'vscode';
import type { RunObserver } from '../../app/runs/runJournal.js';
import { whileQuiet } from '../../whileQuiet.js';
import type { Overviews } from '../skills/overviews.js';
import { readSettings } from '../settings.js';
import { writtenName } from '../skills/writtenName.js';
import type { UseCasesSource } from '../workbench.js';
import { progressMessage, type LiveRun } from './progressMessage.js';
import type { RunControls } from './runControls.js';
import type { Log } from '../shown/log.js';
import { withNotification } from '../shown/notification.js';
import { followShare } from '../../engine/journal/runShare.js';
import { emptySummary } from '../../engine/journal/runSummary.js';
import { logRun } from '../../engine/journal/runLog.js';

/** What every run in the editor needs. */
export interface RunParts {
  readonly useCases: UseCasesSource;
  readonly overviews: Overviews;
  readonly controls: RunControls;
  readonly log: Log;
}

/**
 * Shows a run while it goes on, in a notification that can cancel it, in the tree and in the log. Throws a
 * CancellationError where the person cancelled or paused it.
 */
export async function withRunProgress<Result>(
  { skillPath, title }: { readonly skillPath: string; readonly title: string },
  { overviews, controls, log }: Pick<RunParts, 'overviews' | 'controls' | 'log'>,
  work: (observe: RunObserver, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const skillName = await writtenName(skillPath);
  return withNotification(title, async ({ say, token }) => {
    const { signal, end } = controls.begin(skillPath, token);
    const capUsd = readSettings(vscode.Uri.file(skillPath))['whetstone.caps.runUsd'] ?? undefined;
    const write = logRun(log);
    const follow = followShare();
    // From the press of the button on: what comes before the first event of a run may take seconds.
    const begins = { ...emptySummary('', Date.now()), skillPath, skillName };
    overviews.showRun(skillPath, { summary: begins, share: { share: 0.01, leftMs: undefined } });
    const quiet = whileQuiet();
    const show = (live: LiveRun): void => {
      say(progressMessage(live, capUsd), live.share.share);
      overviews.showRun(skillPath, live);
    };
    try {
      return await work((event, summary) => {
        show({ summary, share: follow(event, summary.updatedAt) });
        write(event, summary);
        quiet.from((ms) => {
          const share = follow(undefined, summary.updatedAt + ms);
          if (share.silence !== undefined) show({ summary, share });
        });
      }, signal);
    } catch (error) {
      if (signal.aborted) throw new vscode.CancellationError();
      throw error;
    } finally {
      quiet.stop();
      end();
      overviews.showRun(skillPath, undefined);
      overviews.refresh(skillPath);
    }
  });
}
