import * as vscode from 'vscode';
import { runCommand } from '../commands/runCommand.js';
import type { OptimizeResult } from '../../app/runs/optimize.js';
import type { RunRequest } from '../../app/runs/runStart.js';
import { AnswersAwaited, ModelError } from '../../errors.js';
import { curesOfKind, type Cure } from '../cures.js';
import { reportError } from '../reportError.js';
import type { SkillCatalog } from '../skills/skillCatalog.js';
import { writtenName } from '../skills/writtenName.js';
import { confirmRun } from './confirmRun.js';
import { tellingPace } from './firstPace.js';
import { leaveTasksOut } from './leaveTasksOut.js';
import { runRequestFor } from './runRequestFor.js';
import { askAboutWaiting, tellWaiting } from './waitingRun.js';
import { withRunProgress, type RunParts } from './withRunProgress.js';
import { shortVerdict, toReview } from '../../wording/shortVerdict.js';
import type { Verdict } from '../../gate/verdict/verdict.js';
import { settlesIt } from '../../wording/verdictReport.js';
import { invalidSentence, simulatedSentence } from '../../wording/amounts.js';
import { skillUseSentence } from '../../wording/programs/skillUse.js';
import { retold, t } from '../../wording/translate.js';
import { showError, showInformation, showWarning } from '../shown/messages.js';

/** What training needs beside what every run does. */
interface TrainParts extends RunParts {
  readonly catalog: Pick<SkillCatalog, 'pathOf'>;
}

/** Trains one skill with a cancellable notification, and says at the end what to do next. Opens nothing by itself. */
export async function optimizeSkillInEditor(
  skillPath: string,
  parts: TrainParts,
  wish?: Pick<RunRequest, 'preset'>,
): Promise<OptimizeResult | undefined> {
  await saveIfDirty(skillPath, parts.catalog);
  const useCases = await parts.useCases();
  const wanted = await askAboutWaiting(useCases, skillPath);
  if (wanted === undefined) return undefined;
  if (wanted !== 'anew') return resumeRun(skillPath, parts, wanted.goOn);
  const confirmed = await confirmRun(useCases, () => ({ ...runRequestFor(skillPath), ...wish }), parts.log);
  if (confirmed === undefined) return undefined;
  const { request, preflight } = confirmed;
  const title = vscode.l10n.t('Optimizing {0}', await writtenName(skillPath));
  const quickly = (): Promise<unknown> => optimizeSkillInEditor(skillPath, parts, { preset: 'quick' });
  const shorter = { fewer: fewerTasks(skillPath, parts), quickly: request.preset === 'quick' ? undefined : quickly };
  const paced = tellingPace(preflight, parts, { skillPath, ...shorter });
  return trained({ skillPath, title }, parts, (observe, signal) => useCases.optimize(request, paced(observe), signal));
}

/** Goes on with a run that was paused, cancelled or cut off: the newest where none is named. What it asked before is not paid for again. */
export async function resumeRun(
  skillPath: string,
  parts: TrainParts,
  run?: string,
): Promise<OptimizeResult | undefined> {
  const useCases = await parts.useCases();
  const resuming = () => ({ ...runRequestFor(skillPath), resume: { run } });
  const confirmed = await confirmRun(useCases, resuming, parts.log);
  if (confirmed === undefined) return undefined;
  const { request, preflight } = confirmed;
  const title = vscode.l10n.t('Going on with {0}', await writtenName(skillPath));
  const paced = tellingPace(preflight, parts, { skillPath, fewer: fewerTasks(skillPath, parts) });
  return trained({ skillPath, title }, parts, (observe, signal) => useCases.optimize(request, paced(observe), signal));
}

function fewerTasks(skillPath: string, parts: TrainParts): (stop: () => Promise<void>) => Promise<unknown> {
  return (stop) => leaveTasksOut(skillPath, parts, { stop, begin: () => optimizeSkillInEditor(skillPath, parts) });
}

/** Shows the run and says how it ended; where a model failed it can go on, with one press. */
async function trained(
  run: { readonly skillPath: string; readonly title: string },
  parts: RunParts,
  work: Parameters<typeof withRunProgress<OptimizeResult>>[2],
): Promise<OptimizeResult | undefined> {
  let heard: AbortSignal | undefined;
  try {
    const result = await withRunProgress(run, parts, (observe, signal) => {
      const begun: typeof observe = (event, summary) => {
        heard = signal;
        observe(event, summary);
      };
      return work(begun, signal);
    });
    void tellResult(result, run.skillPath);
    return result;
  } catch (error) {
    if (heard !== undefined && isCancelled(heard)) void tellPaused(run.skillPath);
    if (error instanceof AnswersAwaited) {
      void tellWaiting(error, run.skillPath);
      return undefined;
    }
    // What ended a run that had begun may be mended, and then it goes on.
    if (!(error instanceof ModelError && heard !== undefined)) throw error;
    void reportError(error, [resumeCure(run.skillPath)]);
    return undefined;
  }
}

/** Whether the person pressed Cancel on a run that had begun; a pause has its own message. */
function isCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && reason.message === 'cancelled';
}

async function tellPaused(skillPath: string): Promise<void> {
  const { label, run } = resumeCure(skillPath);
  if ((await showInformation(vscode.l10n.t('Paused: what was answered is kept.'), label)) === label) await run();
}

function resumeCure(skillPath: string): Cure {
  return { label: vscode.l10n.t('Resume Run'), run: () => runCommand('whetstone.resumeRun', { skillPath }) };
}

/** Says how a run ended and what comes next. Opens nothing by itself. */
export async function tellResult(result: OptimizeResult, skillPath: string): Promise<void> {
  const { proposal } = result;
  if (proposal === undefined) return tellNothing(result, skillPath);
  const { verdict } = proposal;
  const review = verdict.kind === 'rejected' ? vscode.l10n.t('Look at Edits') : vscode.l10n.t('Review Edits');
  const gather = vscode.l10n.t('Gather More Evidence');
  const open = verdict.kind === 'inconclusive' && verdict.cause === 'cap';
  const more = moreTasks(verdict, skillPath);
  const actions = [...(open ? [gather] : []), review, ...more.map(({ label }) => label)];
  const message = [
    `${shortVerdict(verdict, proposal.skillName)}${cureText(verdict)}`,
    ...useText(result),
    nextOf(proposal),
  ].join(' ');
  const picked = await showInformation(message, ...actions);
  if (picked === review) await runCommand('whetstone.review', skillPath);
  if (picked === gather) await runCommand('whetstone.gatherEvidence', skillPath);
  await more.find(({ label }) => label === picked)?.run();
}

/** Where more tasks would settle it, the two ways to them. */
function moreTasks(verdict: Verdict | undefined, skillPath: string): readonly Cure[] {
  if (verdict === undefined || settlesIt(verdict) === undefined) return [];
  if (verdict.kind === 'inconclusive' && verdict.cause !== 'too-few-tasks') return [];
  return [
    { label: vscode.l10n.t('From My Sessions'), run: () => runCommand('whetstone.mineSessions', skillPath) },
    { label: vscode.l10n.t('Draft Tasks'), run: () => runCommand('whetstone.draftTasks', skillPath) },
  ];
}

function cureText(verdict: Verdict): string {
  const cure = settlesIt(verdict);
  return cure === undefined ? '' : ` ${vscode.l10n.t('What would settle it: {0}', retold(cure))}`;
}

/** That agents did not use the skill is told with the verdict: it says nothing of the text then. */
function useText({ summary }: OptimizeResult): readonly string[] {
  const said = skillUseSentence(summary.skillUse, t);
  return said === undefined ? [] : [said];
}

/** Edits that no improvement was found for are there to be looked at. */
function nextOf({ verdict, documents }: NonNullable<OptimizeResult['proposal']>): string {
  if (verdict.kind === 'rejected') return vscode.l10n.t('The skill stays as it is.');
  return toReview(documents.reduce((sum, { edits }) => sum + edits.length, 0));
}

async function tellNothing(result: OptimizeResult, skillPath: string): Promise<void> {
  const { noProposal: nothing } = result;
  const report = vscode.l10n.t('Show Report');
  const cures = [...curesOfNothing(nothing, skillPath), ...moreTasks(result.summary.verdict, skillPath)];
  const show = nothing?.cause === 'backend-failed' ? showError : showInformation;
  const picked = await show(
    nothingText(result, await writtenName(skillPath)),
    ...cures.map(({ label }) => label),
    report,
  );
  await cures.find(({ label }) => label === picked)?.run();
  if (picked === report) await runCommand('whetstone.showTrainingReport', { skillPath });
}

function nothingText(result: OptimizeResult, name: string): string {
  const { noProposal: nothing, summary } = result;
  const message =
    summary.verdict?.kind === 'rejected'
      ? `${shortVerdict(summary.verdict, name)}${cureText(summary.verdict)} ${vscode.l10n.t('The skill stays as it is.')}`
      : vscode.l10n.t('{0}: nothing is proposed. {1}', name, retold(nothing?.reason ?? ''));
  const invalid = nothing?.cause === 'backend-failed' ? undefined : invalidSentence(summary, t);
  const more = [
    simulatedSentence(summary.models, t),
    invalid,
    nothing?.undescribed === undefined ? undefined : retold(nothing.undescribed),
  ];
  return [message, ...more.filter((each) => each !== undefined), ...useText(result)].join(' ');
}

function describing(skillPath: string): Cure {
  return {
    label: vscode.l10n.t('Describe Checks'),
    run: () => runCommand('whetstone.describeChecks', { skillPath }),
  };
}

function curesOfNothing(nothing: OptimizeResult['noProposal'], skillPath: string): readonly Cure[] {
  if (nothing?.undescribed !== undefined) return [describing(skillPath)];
  if (nothing?.cause === 'backend-failed') return [...curesOfKind('unavailable'), resumeCure(skillPath)];
  return nothing?.cause === 'cap' ? curesOfKind('cap') : [];
}

/** A run reads the file on disk; what stands in the editor, perhaps opened through a link, should be what is trained. */
async function saveIfDirty(skillPath: string, catalog: TrainParts['catalog']): Promise<void> {
  const dirty = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file');
  const paths = await Promise.all(dirty.map(({ uri }) => catalog.pathOf(uri.fsPath)));
  const document = dirty[paths.indexOf(skillPath)];
  if (document === undefined) return;
  const save = vscode.l10n.t('Save and Optimize');
  const picked = await showWarning(
    vscode.l10n.t('{0} has unsaved changes. A run trains the file on disk.', await writtenName(skillPath)),
    { modal: true },
    save,
  );
  if (picked !== save || !(await document.save())) throw new vscode.CancellationError();
}
