import * as vscode from 'vscode';
import type { ReviewedHunk } from '../../../review/reviewHunks.js';
import { runCommand } from '../../commands/runCommand.js';
import { showInformation, showWarning } from '../../shown/messages.js';
import { isShown } from '../documents/shownCandidates.js';
import { filesInReview, type ShownReview } from '../filesInReview.js';
import type { RationaleThreads } from '../lenses/rationaleThreads.js';
import { openReview } from '../openReview.js';
import { decidedNames, type Review } from '../review.js';
import type { OpenReview, Reviews } from '../reviews.js';
import { acceptHunks } from './acceptHunks.js';
import { decidedAlready } from './hunkTarget.js';
import { measureProposal, proposedHash } from './measure.js';

interface TakingParts {
  readonly reviews: Reviews;
  readonly threads: RationaleThreads;
}

/**
 * What was made elsewhere is accepted only where it stands before the person: a press in the tree opens it, no more. It
 * was not measured here, so they are asked first whether they want it all the same.
 */
export async function accept(
  { reviews, threads }: TakingParts,
  { open, candidate }: ShownReview,
  hunks: readonly ReviewedHunk[],
): Promise<void> {
  const isHidden = !open.review.pending.own && !isShown(candidate);
  if (!isHidden) await agreeToStranger(reviews, { open, candidate });
  const keys = hunks.map(({ key }) => key);
  const accepting = acceptHunks(open, candidate, keys);
  if (isHidden) await accepting.catch(() => openReview({ reviews, threads }, open.review.skillPath));
  await accepting;
}

/** From this turn on the changes have no buttons, and a second press does nothing; where nothing came of it they have them again. */
export async function whileDeciding<T>(
  { review, tell }: Pick<OpenReview, 'review' | 'tell'>,
  hunks: readonly ReviewedHunk[],
  decide: () => Promise<T>,
): Promise<T> {
  if (hunks.some((hunk) => review.isBeingDecided(hunk))) throw decidedAlready();
  const names = decidedNames(hunks);
  for (const name of names) review.deciding.add(name);
  tell();
  try {
    return await decide();
  } finally {
    for (const name of names) review.deciding.delete(name);
    tell();
  }
}

const agreed = new WeakSet<Review>();

/** Once for each proposal; not about a text that was measured here meanwhile and found better. */
async function agreeToStranger(reviews: Reviews, shown: ShownReview): Promise<void> {
  const { review } = shown.open;
  if (review.pending.own || review.whyNotAcceptable() !== undefined) return;
  const { files } = await filesInReview(reviews, shown);
  const { measured } = review.record;
  const isBetter = measured?.hash === proposedHash(files) && measured.verdict.kind === 'accepted';
  if (isBetter || agreed.has(review)) return;
  const accepting = vscode.l10n.t('Accept');
  const measuring = vscode.l10n.t('Measure First');
  const picked = await showWarning(
    vscode.l10n.t('This proposal comes from another machine and was not verified here. Accept it all the same?'),
    { modal: true, detail: vscode.l10n.t('Nobody has shown here that it makes the skill better.') },
    accepting,
    measuring,
  );
  if (picked === measuring) await measureProposal({ reviews }, { candidate: shown.candidate.toString() });
  if (picked !== accepting) throw new vscode.CancellationError();
  agreed.add(review);
}

/** What accepting wrote into a file. */
export interface WrittenEdits {
  readonly review: Review;
  readonly written: number;
  /** Changes that were left out, because the person changed the file there. */
  readonly left: number;
}

/** What was written, where, and the way back: over all files that it went into. */
export async function tellWritten(edits: readonly WrittenEdits[]): Promise<void> {
  if (edits.length === 0) return;
  const said = edits.map(({ review, written }) => {
    const where = vscode.workspace.asRelativePath(review.file);
    return written === 1
      ? vscode.l10n.t('1 edit is in {0}.', where)
      : vscode.l10n.t('{0} edits are in {1}.', written, where);
  });
  const left = edits.reduce((sum, each) => sum + each.left, 0);
  const rest =
    left === 0 ? '' : vscode.l10n.t('{0} left to decide: you changed the file where they would change it.', left);
  // One adoption for each file. What is not saved yet is none, and its editor takes it back.
  const saved = edits.filter(({ review }) => !isDirty(review.file));
  const undo = vscode.l10n.t('Undo');
  const buttons = saved.length > 0 ? [undo] : [];
  if ((await showInformation([...said, rest].join(' ').trim(), ...buttons)) !== undo) return;
  for (const { review } of saved) await runCommand('whetstone.undo', review.skillPath);
}

function isDirty(file: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some(({ uri, isDirty: unsaved }) => unsaved && String(uri) === String(file));
}
