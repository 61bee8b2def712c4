import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import { agreeWithDisk } from './documents/agreeWithDisk.js';
import { candidateLanguage, listedCandidateUri } from './documents/candidateUri.js';
import { plainText } from '../../review/proposalTexts.js';
import type { RationaleThreads } from './lenses/rationaleThreads.js';
import type { Review } from './review.js';
import { openEdits, type ReviewedHunk } from '../../review/reviewHunks.js';
import type { OpenReview, Reviews } from './reviews.js';
import { showInformation, showWarning } from '../shown/messages.js';
import { openDiff, openDiffs } from '../shown/documents.js';

/** Shows a skill's proposal against its file, with the first reason open. Only ever because the person asked. */
export async function openReview(reviews: Reviews, threads: RationaleThreads, skillPath: string): Promise<void> {
  const opened = await reviews.ofSkill(skillPath);
  const [first, ...more] = opened;
  if (first === undefined) throw nothingWaits();
  if (more.length > 0) return openList(opened, vscode.l10n.t('{0}: proposed edits', nameOf(first.review)));
  await bringUpToDate(first);
  const { review } = first;
  const candidate = await inOurLanguage(review.candidate);
  const { hunks } = await review.snapshot(candidate);
  const title = review.pending.own
    ? vscode.l10n.t('{0}: {1}', nameOf(review), countText(hunks))
    : vscode.l10n.t('{0}: {1}, from another machine', nameOf(review), countText(hunks));
  await openDiff(review.file, candidate, title);
  await threads.open(review, candidate, hunks[0]?.name);
  void tellWhatChanged(review);
  void tellLeftOut(review);
  tellOtherRoads(candidate);
}

/** As the tree counts; what no edit explains counts by itself. */
function countText(hunks: readonly ReviewedHunk[]): string {
  const edits = openEdits(hunks).size || hunks.length;
  return edits === 1 ? vscode.l10n.t('1 proposed edit') : vscode.l10n.t('{0} proposed edits', edits);
}

/** Shows every proposal that waits, one below the other. */
export async function openAllReviews(reviews: Reviews): Promise<void> {
  const skills = await reviews.host.waiting();
  const opened = (await Promise.all(skills.map((skillPath) => reviews.ofSkill(skillPath)))).flat();
  if (opened.length === 0) throw nothingWaits();
  await openList(opened, vscode.l10n.t('Proposed edits'));
}

async function openList(opened: readonly OpenReview[], title: string): Promise<void> {
  const rows: [vscode.Uri, vscode.Uri, vscode.Uri][] = [];
  for (const open of opened) {
    await bringUpToDate(open);
    const { id, file } = open.review;
    rows.push([file, file, await inOurLanguage(listedCandidateUri(id, file))]);
  }
  await openDiffs(title, rows);
}

/** The file may have changed while nobody looked. */
async function bringUpToDate({ review, follower }: OpenReview): Promise<void> {
  const text = plainText((await agreeWithDisk(review.file)).text);
  if (text === review.record.real) return;
  follower.fileChanged(text);
  await follower.follow();
}

/** Before it is shown, so that the diff is inline from the first moment. */
async function inOurLanguage(uri: vscode.Uri): Promise<vscode.Uri> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.languageId !== candidateLanguage) {
    await vscode.languages.setTextDocumentLanguage(document, candidateLanguage);
  }
  return uri;
}

async function tellWhatChanged({ record, skillPath, pending, document }: Review): Promise<void> {
  if (!record.rebased) return;
  const lost = record.lost.map(({ id, reason }) => `${id}: ${reason}`).join(' ');
  const message = vscode.l10n.t(
    '{0} changed since the run, so these edits were not measured on it as it is now.',
    pending.proposal.skillName,
  );
  const rest = record.lost.length > 0 ? vscode.l10n.t('Left out, because they no longer fit: {0}', lost) : '';
  const show = vscode.l10n.t('Show What Changed');
  const again = vscode.l10n.t('Measure Again');
  const buttons = document.kind === 'skill' ? [show, again] : [show]; // a memory file is not measured by itself
  const picked = await showWarning(`${message} ${rest}`.trim(), ...buttons);
  if (picked === show) await vscode.commands.executeCommand('whetstone.showBaseChanges', { skillPath });
  if (picked === again) await vscode.commands.executeCommand('whetstone.measureProposal', { skillPath });
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
