import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import { lensLine } from '../../review/hunkPlace.js';
import { plainText } from '../../review/proposalTexts.js';
import { editIds } from '../../review/reviewHunks.js';
import { documentTitle } from '../../skill/package/packageFile.js';
import { openDiffs } from '../shown/documents.js';
import { showInformation, showWarning } from '../shown/messages.js';
import { decidedAlready } from './decisions/hunkTarget.js';
import { agreeWithDisk } from './documents/agreeWithDisk.js';
import { candidateLanguage, listedCandidateUri } from './documents/candidateUri.js';
import { filesInReview, type ReviewedFile } from './filesInReview.js';
import type { RationaleThreads } from './lenses/rationaleThreads.js';
import type { Review } from './review.js';
import type { OpenReview, Reviews } from './reviews.js';
import { goToEdit, hasSeveralFiles, inOurLanguage, showFile } from './showFile.js';

/**
 * Shows a skill's proposal against its files, each in a diff of its own, with the first reason open, or that of the edit
 * which is named. Only ever because the person asked.
 */
export async function openReview(
  { reviews, threads }: { readonly reviews: Reviews; readonly threads: RationaleThreads },
  skillPath: string,
  editId?: string,
): Promise<void> {
  const opened = await reviews.ofSkill(skillPath);
  const [first] = opened;
  if (first === undefined) throw nothingWaits();
  // The rows of the tree do not wait until every file is on the screen.
  reviews.host.showRows(skillPath);
  for (const open of opened) await bringUpToDate(open);
  const { files } = await filesInReview(reviews, { open: first, candidate: first.review.candidate });
  const front = inFront(files, editId);
  const candidate = await showAll(files, front);
  void tellWhatChanged(opened.map(({ review }) => review));
  void tellLeftOut(first.review);
  tellOtherRoads(candidate);
  const asked = front.hunks.find((hunk) => editId !== undefined && editIds([hunk]).includes(editId));
  if (asked !== undefined) {
    const line = lensLine(asked, front.lineCount);
    return goToEdit(threads, { open: front.open, candidate }, { hunk: asked, line });
  }
  await threads.open(front.open.review, candidate, front.hunks[0]?.name);
  if (editId !== undefined) throw decidedAlready();
}

/** The file of the edit that is asked for; else the first one in which something is open. */
function inFront(files: readonly ReviewedFile[], editId: string | undefined): ReviewedFile {
  const asked = files.find(({ open }) => open.review.document.edits.some(({ id }) => id === editId));
  const found = asked ?? files.find(({ hunks }) => hunks.length > 0) ?? files[0];
  if (found === undefined) throw nothingWaits();
  return found;
}

/** Every file in which something is to be decided, in the order of the proposal. */
async function showAll(files: readonly ReviewedFile[], front: ReviewedFile): Promise<vscode.Uri> {
  const shown = files.filter((file) => file === front || isOpen(file));
  if (shown.length > 1) for (const { open } of shown) await showFile(open.review);
  return showFile(front.open.review);
}

/** Edits that lost their place are to be put away. */
function isOpen({ hunks, open }: ReviewedFile): boolean {
  return hunks.length + open.review.memo.lost.length > 0;
}

/** Shows every proposal that waits, one below the other. */
export async function openAllReviews(reviews: Reviews): Promise<void> {
  const skills = await reviews.host.waiting();
  const opened = (await Promise.all(skills.map((skillPath) => reviews.ofSkill(skillPath)))).flat();
  if (opened.length === 0) throw nothingWaits();
  const rows: [vscode.Uri, vscode.Uri, vscode.Uri][] = [];
  for (const open of opened) {
    await bringUpToDate(open);
    const { id, file } = open.review;
    rows.push([file, file, await inOurLanguage(listedCandidateUri(id, file))]);
  }
  await openDiffs(vscode.l10n.t('Proposed edits'), rows);
}

/** The file may have changed while nobody looked. */
async function bringUpToDate({ review, follower }: OpenReview): Promise<void> {
  const text = plainText((await agreeWithDisk(review.file)).text);
  if (text === review.memo.real) return;
  follower.fileChanged(text);
  await follower.follow();
}

/** Once for the proposal, whichever of its files changed. */
async function tellWhatChanged(reviews: readonly Review[]): Promise<void> {
  const changed = reviews.filter(({ memo }) => memo.rebased);
  const [first] = changed;
  if (first === undefined) return;
  const lost = changed.flatMap(({ memo }) => memo.lost).map(({ id, reason }) => `${id}: ${reason}`);
  const message = vscode.l10n.t(
    '{0} changed since the run, so these edits were not measured on it as it is now.',
    hasSeveralFiles(first) ? changed.map(({ document }) => documentTitle(document)).join(', ') : nameOf(first),
  );
  const rest = lost.length > 0 ? vscode.l10n.t('Left out, because they no longer fit: {0}', lost.join(' ')) : '';
  const show = vscode.l10n.t('Show What Changed');
  const again = vscode.l10n.t('Measure Again');
  // A memory file is not measured by itself.
  const buttons = reviews.some(({ document }) => document.kind !== 'memory') ? [show, again] : [show];
  const picked = await showWarning(`${message} ${rest}`.trim(), ...buttons);
  const argument = { candidate: first.candidate.toString() };
  if (picked === show) await vscode.commands.executeCommand('whetstone.showBaseChanges', argument);
  if (picked === again) await vscode.commands.executeCommand('whetstone.measureProposal', argument);
}

/** Of a proposal that was made elsewhere only the skill's own part is shown. */
async function tellLeftOut({ pending: { dropped } }: Review): Promise<void> {
  if (dropped.length === 0) return;
  await showWarning(
    vscode.l10n.t(
      'Left out, because a proposal from another machine may change the skill alone: {0}',
      dropped.join(', '),
    ),
  );
}

/** A person who turned lenses off for proposals too still finds every button elsewhere. */
function tellOtherRoads(candidate: vscode.Uri): void {
  const scope = { uri: candidate, languageId: candidateLanguage };
  const settings = vscode.workspace.getConfiguration(undefined, scope);
  if (settings.get('diffEditor.codeLens') !== false && settings.get('editor.codeLens') !== false) return;
  void showInformation(
    vscode.l10n.t(
      'CodeLens is off for proposals. Accept with Ctrl+Alt+Y and reject with Ctrl+Alt+N at the cursor, in the title of a reason, in the tree, or with “Whetstone: Accept Proposed Edit”.',
    ),
  );
}

function nameOf({ pending }: Review): string {
  return pending.proposal.skillName;
}

function nothingWaits(): UserError {
  return new UserError(
    'proposal-missing',
    vscode.l10n.t('No proposal waits.'),
    vscode.l10n.t('Run “Whetstone: Optimize This Skill” first.'),
  );
}
