import * as vscode from 'vscode';
import { editIds, isOffered, type ReviewedHunk } from '../../../review/reviewHunks.js';
import { count } from '../../../wording/amounts.js';
import { t } from '../../../wording/translate.js';
import { showWarning } from '../../shown/messages.js';
import type { ReviewedFile } from '../filesInReview.js';
import type { RationaleThreads } from '../lenses/rationaleThreads.js';
import type { Reviews } from '../reviews.js';
import { allTargets, nothingLeft } from './hunkTarget.js';
import { askReason, reasonOf, rejectHunks, type RejectedEdits } from './rejectHunks.js';
import { accept, tellWritten, whileDeciding, type WrittenEdits } from './takeChanges.js';

interface DecidingParts {
  readonly reviews: Reviews;
  readonly threads: RationaleThreads;
}

/** A file with those of its changes that are decided now. */
interface ChosenChanges {
  readonly file: ReviewedFile;
  readonly chosen: readonly ReviewedHunk[];
}

/**
 * Accepts all that is open, in the one file that is named or in every file of the proposal: then as one decision, which is
 * undone whole. What the person wrote into a file themselves stays, and is told to stay.
 */
export async function acceptAll({ reviews, threads }: DecidingParts, given: unknown): Promise<void> {
  const files = await followedTargets(reviews, given);
  const offered = chosenIn(files, ({ open }, hunk) => isOffered(hunk) && !open.review.isBeingDecided(hunk));
  if (offered.length === 0) throw nothingLeft();
  await askAboutSeveral(offered, 'accept');
  const choices = offered.map(({ file, chosen }) => ({ ...file, hunks: chosen }));
  const together = await whileDeciding(choices, () => accept({ reviews, threads }, choices));
  for (const { open, candidate } of choices) await threads.open(open.review, candidate, undefined);
  void tellWritten(offered.map(writtenIn), together);
}

/** As they are once they followed their files. */
async function followedTargets(reviews: Reviews, given: unknown): Promise<readonly ReviewedFile[]> {
  for (const { open } of await allTargets(reviews, given)) await open.follower.follow();
  return allTargets(reviews, given);
}

function writtenIn({ file, chosen }: ChosenChanges): WrittenEdits {
  return {
    review: file.open.review,
    written: editIds(chosen).length || chosen.length,
    left: file.hunks.filter(({ overwrites, origin }) => overwrites && origin.kind !== 'file').length,
  };
}

/** Rejects all that is open, also what no longer has a place; no file is touched. */
export async function rejectAll({ reviews, threads }: DecidingParts, given: unknown): Promise<void> {
  const files = await followedTargets(reviews, given);
  const open = files.filter(({ hunks, open: { review } }) => hunks.length + review.memo.lost.length > 0);
  if (open.length === 0) throw nothingLeft();
  const reason = reasonOf(given);
  if (reason.kind === 'ask') await askAboutSeveral(chosenIn(open), 'reject');
  const rejected: RejectedEdits[] = [];
  for (const { open: each, candidate, hunks } of open) {
    const keys = hunks.map(({ key }) => key);
    const { lost } = each.review.memo;
    const changes = [{ open: each, hunks }];
    const edits = keys.length > 0 ? await whileDeciding(changes, () => rejectHunks(each, candidate, keys, reason)) : [];
    if (lost.length > 0) await each.decisions.reject(lost.map(({ id }) => id));
    await threads.open(each.review, candidate, undefined);
    rejected.push({ open: each, edits });
  }
  if (reason.kind === 'ask') void askReason(rejected);
}

function chosenIn(
  files: readonly ReviewedFile[],
  isChosen: (file: ReviewedFile, hunk: ReviewedHunk) => boolean = () => true,
): readonly ChosenChanges[] {
  return files
    .map((file) => ({ file, chosen: file.hunks.filter((hunk) => isChosen(file, hunk)) }))
    .filter(({ chosen }) => chosen.length > 0);
}

/** The person sees one file at a time: where others are decided with it, they are named first. */
async function askAboutSeveral(files: readonly ChosenChanges[], what: 'accept' | 'reject'): Promise<void> {
  if (files.length < 2) return;
  const all = files.reduce((sum, { chosen }) => sum + (editIds(chosen).length || chosen.length), 0);
  const edits = count(all, 'edit', t);
  const question =
    what === 'accept'
      ? vscode.l10n.t('Accept {0} in {1} files?', edits, files.length)
      : vscode.l10n.t('Reject {0} in {1} files?', edits, files.length);
  const go = what === 'accept' ? vscode.l10n.t('Accept All') : vscode.l10n.t('Reject All');
  const rows = files.map(({ file, chosen }) => `${file.name}: ${namesOf(chosen)}`);
  if ((await showWarning(question, { modal: true, detail: rows.join('\n') }, go)) !== go)
    throw new vscode.CancellationError();
}

/** What no edit explains is counted. */
function namesOf(hunks: readonly ReviewedHunk[]): string {
  const ids = editIds(hunks);
  const others = hunks.filter(({ origin }) => origin.kind !== 'proposed').length;
  return [...ids, ...(others === 0 ? [] : [vscode.l10n.t('{0} without a reason', others)])].join(', ');
}
