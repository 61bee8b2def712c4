import * as vscode from 'vscode';
import { registerCommand } from '../commands/registerCommand.js';
import { acceptAll, rejectAll } from './decisions/decideAll.js';
import type { BaseTexts } from './documents/baseTexts.js';
import { lensLine } from '../../review/hunkPlace.js';
import {
  afterFollowing,
  hunkTargets,
  namesProposal,
  nothingLeft,
  reviewTarget,
  skillPathOf,
  type HunkTarget,
} from './decisions/hunkTarget.js';
import { openAllReviews, openReview } from './openReview.js';
import type { RationaleThreads } from './lenses/rationaleThreads.js';
import { askReason, reasonOf, rejectHunks, type RejectedEdits } from './decisions/rejectHunks.js';
import { accept, tellWritten, whileDeciding } from './decisions/takeChanges.js';
import type { Reviews } from './reviews.js';
import { editIds } from '../../review/reviewHunks.js';
import { goToEdit } from './showFile.js';
import { stepToEdit } from './stepToEdit.js';
import { isShown } from './documents/shownCandidates.js';
import { measureAccepted, measureProposal } from './decisions/measure.js';
import { pickOne } from '../shown/questions.js';
import { openDiff } from '../shown/documents.js';

export interface ReviewParts {
  readonly reviews: Reviews;
  readonly threads: RationaleThreads;
  readonly bases: BaseTexts;
}

/** Every command of a review. Each finds out by itself what it is about, so that all roads lead to the same place. */
export function registerReviewCommands(parts: ReviewParts): vscode.Disposable {
  const { reviews } = parts;
  return vscode.Disposable.from(
    registerCommand('whetstone.review', async (given, editId) => {
      await openReview(parts, await chosenSkill(reviews, given), typeof editId === 'string' ? editId : undefined);
    }),
    registerCommand('whetstone.reviewAll', () => openAllReviews(reviews)),
    registerCommand('whetstone.acceptHunk', (given) => acceptOne(parts, given)),
    registerCommand('whetstone.rejectHunk', (given) => rejectOne(parts, given)),
    registerCommand('whetstone.explainHunk', (given) => explain(parts, given)),
    registerCommand('whetstone.nextEdit', (given) => stepToEdit(parts, given, 'next')),
    registerCommand('whetstone.previousEdit', (given) => stepToEdit(parts, given, 'previous')),
    registerCommand('whetstone.acceptAllHunks', (given) => acceptAll(parts, given)),
    registerCommand('whetstone.rejectAllHunks', (given) => rejectAll(parts, given)),
    registerCommand('whetstone.reviewReport', async (given) => {
      const { open } = await reviewTarget(reviews, given);
      await reviews.host.showReport(open.review.skillPath);
    }),
    registerCommand('whetstone.measureAccepted', (given) => measureAccepted(parts, given)),
    registerCommand('whetstone.measureProposal', (given) => measureProposal(parts, given)),
    registerCommand('whetstone.showBaseChanges', (given) => showBaseChanges(parts, given)),
  );
}

async function acceptOne({ reviews, threads }: ReviewParts, given: unknown): Promise<void> {
  const targets = await hunkTargets(reviews, threads, given);
  const together = await whileDeciding(targets, async () => {
    const followed: HunkTarget[] = [];
    for (const target of targets) followed.push(await afterFollowing(target));
    return accept({ reviews, threads }, followed);
  });
  for (const target of targets) await goOn(threads, target);
  const written = targets.map(({ open, hunks }) => ({ review: open.review, written: editIds(hunks).length, left: 0 }));
  // Edits that were checked in the tree are written into files that the person may not be looking at.
  if (namesSeveral(given)) void tellWritten(written, together);
}

/** True for a choice of edits, as the boxes of the tree make it; false for one edit. */
function namesSeveral(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'edits' in given;
}

async function rejectOne({ reviews, threads }: ReviewParts, given: unknown): Promise<void> {
  const reason = reasonOf(given);
  const rejected: RejectedEdits[] = [];
  for (const target of await hunkTargets(reviews, threads, given)) {
    const { open, candidate } = target;
    const edits = await whileDeciding([target], async () => {
      const { hunks } = await afterFollowing(target);
      return rejectHunks(
        open,
        candidate,
        hunks.map(({ key }) => key),
        reason,
      );
    });
    rejected.push({ open, edits });
    await goOn(threads, target);
  }
  if (reason.kind === 'ask') void askReason(rejected);
}

async function explain({ reviews, threads }: ReviewParts, given: unknown): Promise<void> {
  const [{ open, candidate, hunks }] = await hunkTargets(reviews, threads, given);
  const [hunk] = hunks;
  if (hunk === undefined || isShown(candidate)) return threads.open(open.review, candidate, hunk?.name);
  const { lineCount } = await vscode.workspace.openTextDocument(candidate);
  await goToEdit(threads, { open, candidate }, { hunk, line: lensLine(hunk, lineCount) });
}

/** After a decision the next change is the current one; its reason opens where the last one was open. */
async function goOn(
  threads: RationaleThreads,
  { open, candidate, hunks: decided, isPressed }: HunkTarget,
): Promise<void> {
  const snapshot = await open.review.snapshot(candidate);
  const { hunks } = snapshot;
  const next = hunks.find(({ hunk }) => hunk.after.start >= (decided[0]?.hunk.after.start ?? 0)) ?? hunks[0];
  await threads.open(open.review, candidate, next?.name);
  // A button between the lines does not take the focus: without it the next Ctrl+Z would go elsewhere.
  if (isPressed) await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document === snapshot.candidate);
  if (editor === undefined || next === undefined) return;
  const line = lensLine(next, snapshot.candidate.lineCount);
  editor.selection = new vscode.Selection(line, 0, line, 0);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** What happened to the file since the proposal was made. */
async function showBaseChanges({ reviews, bases }: ReviewParts, given: unknown): Promise<void> {
  const { review } = (await reviewTarget(reviews, given)).open;
  const title = vscode.l10n.t('{0}: changed since the run', review.pending.proposal.skillName);
  const base = bases.uriOf(review.document);
  await openDiff(base, review.file, title);
}

async function chosenSkill(reviews: Reviews, given: unknown): Promise<string> {
  const named = skillPathOf(given);
  if (named !== undefined) return named;
  if (namesProposal(given)) return (await reviewTarget(reviews, given)).open.review.skillPath;
  const waiting = await reviews.host.waiting();
  const [only, ...more] = waiting;
  if (only === undefined) throw nothingLeft();
  if (more.length === 0) return only;
  const picked = await pickOne(
    waiting.map((skillPath) => ({ label: vscode.workspace.asRelativePath(skillPath), skillPath })),
    { title: vscode.l10n.t('Which proposal?') },
  );
  if (picked === undefined) throw new vscode.CancellationError();
  return picked.skillPath;
}
