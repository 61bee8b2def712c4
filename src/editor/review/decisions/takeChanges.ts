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

/** Changes that are decided, with the review that they are of. */
export interface DecidedChanges {
  readonly open: OpenReview;
  readonly hunks: readonly ReviewedHunk[];
}

/**
 * What was made elsewhere is accepted only where it stands before the person: a press in the tree opens it, no more. It
 * was not measured here, so they are asked first whether they want it all the same. Gives the files that were written
 * together, as one adoption.
 */
export async function accept(
  { reviews, threads }: TakingParts,
  choices: readonly (ShownReview & DecidedChanges)[],
): Promise<readonly vscode.Uri[]> {
  const hidden = choices.find(({ open, candidate }) => !open.review.pending.own && !isShown(candidate));
  if (hidden === undefined) for (const choice of choices) await agreeToStranger(reviews, choice);
  const accepting = acceptHunks(
    choices.map(({ open, candidate, hunks }) => ({ open, from: candidate, keys: hunks.map(({ key }) => key) })),
  );
  if (hidden !== undefined) await accepting.catch(() => openReview({ reviews, threads }, hidden.open.review.skillPath));
  return accepting;
}

/** From this turn on the changes have no buttons, and a second press does nothing; where nothing came of it they have them again. */
export async function whileDeciding<T>(changes: readonly DecidedChanges[], decide: () => Promise<T>): Promise<T> {
  if (changes.some(({ open, hunks }) => hunks.some((hunk) => open.review.isBeingDecided(hunk)))) throw decidedAlready();
  for (const { open, hunks } of changes) {
    for (const name of decidedNames(hunks)) open.review.deciding.add(name);
    open.tell();
  }
  try {
    return await decide();
  } finally {
    for (const { open, hunks } of changes) {
      for (const name of decidedNames(hunks)) open.review.deciding.delete(name);
      open.tell();
    }
  }
}

const agreed = new WeakSet<Review>();

/** Once for each proposal; not about a text that was measured here meanwhile and found better. */
async function agreeToStranger(reviews: Reviews, shown: ShownReview): Promise<void> {
  const { review } = shown.open;
  if (review.pending.own || review.whyNotAcceptable() !== undefined) return;
  const { files } = await filesInReview(reviews, shown);
  const { measured } = review.memo;
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

/** What was written, where, and the way back: over all files that it went into. `together` are those of one adoption. */
export async function tellWritten(edits: readonly WrittenEdits[], together: readonly vscode.Uri[]): Promise<void> {
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
  // What is not saved yet is no adoption, and its editor takes it back.
  const saved = edits.filter(({ review }) => !isDirty(review.file));
  const isTogether = ({ review }: WrittenEdits): boolean =>
    together.some((file) => String(file) === String(review.file));
  const adoptions = [...saved.filter((each) => !isTogether(each)), ...saved.filter(isTogether).slice(0, 1)];
  const undo = vscode.l10n.t('Undo');
  const buttons = saved.length > 0 ? [undo] : [];
  if ((await showInformation([...said, rest].join(' ').trim(), ...buttons)) !== undo) return;
  for (const { review } of adoptions) await runCommand('whetstone.undo', review.skillPath);
}

function isDirty(file: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some(({ uri, isDirty: unsaved }) => unsaved && String(uri) === String(file));
}
