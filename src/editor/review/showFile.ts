import * as vscode from 'vscode';
import type { EditStop } from '../../review/proposalPlaces.js';
import { openEdits, type ReviewedHunk } from '../../review/reviewHunks.js';
import { documentTitle } from '../../skill/package/packageFile.js';
import { openDiff } from '../shown/documents.js';
import { candidateLanguage } from './documents/candidateUri.js';
import type { ShownReview } from './filesInReview.js';
import type { RationaleThreads } from './lenses/rationaleThreads.js';
import type { Review } from './review.js';

/** Opens the diff of one file of a proposal, or brings it to the front; with the cursor in a line, where one is given. */
export async function showFile(review: Review, line?: number): Promise<vscode.Uri> {
  const candidate = await inOurLanguage(review.candidate);
  const { hunks } = await review.snapshot(candidate);
  const selection = line === undefined ? {} : { selection: new vscode.Range(line, 0, line, 0) };
  // Beside another file of the proposal its tab stays: one in preview would take the place of the other.
  await openDiff(review.file, candidate, titleOf(review, hunks), { preview: !hasSeveralFiles(review), ...selection });
  return candidate;
}

/** Brings a change before the person, with its reason open. */
export async function goToEdit(
  threads: RationaleThreads,
  { open: { review }, candidate }: ShownReview,
  { hunk, line }: Pick<EditStop, 'hunk' | 'line'>,
): Promise<void> {
  const wanted = candidate.toString();
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === wanted);
  // In a list of many files an editor of it is the one to stay in.
  const isOfList = editor !== undefined && wanted !== review.candidate.toString();
  if (editor !== undefined) {
    editor.selection = new vscode.Selection(line, 0, line, 0);
    editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
  const isInFront = editor !== undefined && editor === vscode.window.activeTextEditor;
  const document = isOfList || isInFront ? candidate : await showFile(review, line);
  await threads.open(review, document, hunk.name);
}

/** Whether the proposal changes more than one file. */
export function hasSeveralFiles({ pending }: Pick<Review, 'pending'>): boolean {
  return pending.proposal.documents.length > 1;
}

/** Of several files each is named: the tabs of one proposal stand beside each other. */
function titleOf(review: Review, hunks: readonly ReviewedHunk[]): string {
  const { pending, document } = review;
  const { skillName } = pending.proposal;
  const name = hasSeveralFiles(review) ? vscode.l10n.t('{0} ({1})', documentTitle(document), skillName) : skillName;
  return pending.own
    ? vscode.l10n.t('{0}: {1}', name, countText(hunks))
    : vscode.l10n.t('{0}: {1}, from another machine', name, countText(hunks));
}

/** As the tree counts; what no edit explains counts by itself. */
function countText(hunks: readonly ReviewedHunk[]): string {
  const edits = openEdits(hunks).size || hunks.length;
  return edits === 1 ? vscode.l10n.t('1 proposed edit') : vscode.l10n.t('{0} proposed edits', edits);
}

/** Before it is shown, so that the diff is inline from the first moment. */
export async function inOurLanguage(uri: vscode.Uri): Promise<vscode.Uri> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.languageId !== candidateLanguage) {
    await vscode.languages.setTextDocumentLanguage(document, candidateLanguage);
  }
  return uri;
}
