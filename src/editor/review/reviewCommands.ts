import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import { sha256 } from '../../hash.js';
import { registerCommand } from '../commands/registerCommand.js';
import { runCommand } from '../commands/runCommand.js';
import { acceptHunks } from './decisions/acceptHunks.js';
import type { BaseTexts } from './documents/baseTexts.js';
import { lensLine } from '../../review/hunkPlace.js';
import { decidedAlready, hunkTargets, reviewTarget, skillPathOf, type HunkTarget } from './decisions/hunkTarget.js';
import { openAllReviews, openReview } from './openReview.js';
import type { RationaleThreads } from './lenses/rationaleThreads.js';
import { askReason, rejectHunks, type RejectReason } from './decisions/rejectHunks.js';
import { decidedNames, type Review } from './review.js';
import type { OpenReview, Reviews } from './reviews.js';
import { editIds, isOffered, type ReviewedHunk } from '../../review/reviewHunks.js';
import { isShown } from './documents/shownCandidates.js';
import { measureAccepted, measureProposal } from './decisions/measure.js';
import { showInformation, showWarning } from '../shown/messages.js';
import { pickOne } from '../shown/questions.js';
import { openDiff } from '../shown/documents.js';

export interface ReviewParts {
  readonly reviews: Reviews;
  readonly threads: RationaleThreads;
  readonly bases: BaseTexts;
}

/** Every command of a review. Each finds out by itself what it is about, so that all roads lead to the same place. */
export function registerReviewCommands(parts: ReviewParts): vscode.Disposable {
  const { reviews, threads } = parts;
  return vscode.Disposable.from(
    registerCommand('whetstone.review', async (given, editId) => {
      await openReview(reviews, threads, await chosenSkill(reviews, given));
      if (typeof editId === 'string') await explain(parts, { skillPath: skillPathOf(given), editId });
    }),
    registerCommand('whetstone.reviewAll', () => openAllReviews(reviews)),
    registerCommand('whetstone.acceptHunk', (given) => acceptOne(parts, given)),
    registerCommand('whetstone.rejectHunk', (given) => rejectOne(parts, given)),
    registerCommand('whetstone.explainHunk', (given) => explain(parts, given)),
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
  for (const target of await hunkTargets(reviews, threads, given)) {
    await whileDeciding(target.open, target.hunks, () => accept({ reviews, threads }, target, target.hunks));
    await goOn(threads, target);
    // Edits that were checked in the tree are written into a file that the person may not be looking at.
    if (namesSeveral(given)) void tellWritten(target.open.review, { written: editIds(target.hunks).length, left: 0 });
  }
}

/** True for a choice of edits, as the boxes of the tree make it; false for one edit. */
function namesSeveral(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'edits' in given;
}

/**
 * What was made elsewhere is accepted only where it stands before the person: a press in the tree opens it, no more. It
 * was not measured here, so they are asked first whether they want it all the same.
 */
async function accept(
  { reviews, threads }: Pick<ReviewParts, 'reviews' | 'threads'>,
  { open, candidate }: Pick<HunkTarget, 'open' | 'candidate'>,
  hunks: readonly ReviewedHunk[],
): Promise<void> {
  const isHidden = !open.review.pending.own && !isShown(candidate);
  if (!isHidden) await agreeToStranger(reviews, open.review, candidate);
  const keys = hunks.map(({ key }) => key);
  const accepting = acceptHunks(open, candidate, keys);
  if (isHidden) await accepting.catch(() => openReview(reviews, threads, open.review.skillPath));
  await accepting;
}

/** From this turn on the changes have no buttons, and a second press does nothing; where nothing came of it they have them again. */
async function whileDeciding<T>(
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
async function agreeToStranger(reviews: Reviews, review: Review, candidate: vscode.Uri): Promise<void> {
  if (review.pending.own || review.whyNotAcceptable() !== undefined) return;
  const { candidateText } = await review.snapshot(candidate);
  const { measured } = review.record;
  const isBetter = measured?.hash === sha256(candidateText) && measured.verdict.kind === 'accepted';
  if (isBetter || agreed.has(review)) return;
  const accepting = vscode.l10n.t('Accept');
  const measuring = vscode.l10n.t('Measure First');
  const picked = await showWarning(
    vscode.l10n.t('This proposal comes from another machine and was not verified here. Accept it all the same?'),
    { modal: true, detail: vscode.l10n.t('Nobody has shown here that it makes the skill better.') },
    accepting,
    measuring,
  );
  if (picked === measuring) await measureProposal({ reviews }, { candidate: candidate.toString() });
  if (picked !== accepting) throw new vscode.CancellationError();
  agreed.add(review);
}

async function rejectOne({ reviews, threads }: ReviewParts, given: unknown): Promise<void> {
  const reason = reasonOf(given);
  for (const target of await hunkTargets(reviews, threads, given)) {
    const { open, candidate, hunks } = target;
    const keys = hunks.map(({ key }) => key);
    const edits = await whileDeciding(open, hunks, () => rejectHunks(open, candidate, keys, reason));
    await goOn(threads, target);
    if (reason.kind === 'ask') void askReason(open, edits);
  }
}

async function explain({ reviews, threads }: ReviewParts, given: unknown): Promise<void> {
  const [{ open, candidate, hunks }] = await hunkTargets(reviews, threads, given);
  await threads.open(open.review, candidate, hunks[0]?.name);
}

/** What the person wrote into the file themselves stays, and is told to stay. */
async function acceptAll({ reviews, threads }: ReviewParts, given: unknown): Promise<void> {
  const { open, candidate } = await reviewTarget(reviews, given);
  await open.follower.follow();
  const { hunks } = await open.review.snapshot(candidate);
  const offered = hunks.filter((hunk) => isOffered(hunk) && !open.review.isBeingDecided(hunk));
  if (offered.length === 0) throw nothingLeft();
  await whileDeciding(open, offered, () => accept({ reviews, threads }, { open, candidate }, offered));
  await threads.open(open.review, candidate, undefined);
  const left = hunks.filter(({ overwrites, origin }) => overwrites && origin.kind !== 'file').length;
  void tellWritten(open.review, { written: editIds(offered).length || offered.length, left });
}

/** What was written, where, and the way back. */
async function tellWritten(
  { file, skillPath }: Review,
  { written, left }: { readonly written: number; readonly left: number },
): Promise<void> {
  const where = vscode.workspace.asRelativePath(file);
  const said =
    written === 1 ? vscode.l10n.t('1 edit is in {0}.', where) : vscode.l10n.t('{0} edits are in {1}.', written, where);
  const rest =
    left === 0 ? '' : vscode.l10n.t('{0} left to decide: you changed the file where they would change it.', left);
  const undo = vscode.l10n.t('Undo');
  if ((await showInformation(`${said} ${rest}`.trim(), undo)) === undo) await runCommand('whetstone.undo', skillPath);
}

async function rejectAll({ reviews, threads }: ReviewParts, given: unknown): Promise<void> {
  const { open, candidate } = await reviewTarget(reviews, given);
  const { hunks } = await open.review.snapshot(candidate);
  const { lost } = open.review.record;
  if (hunks.length + lost.length === 0) throw nothingLeft();
  const keys = hunks.map(({ key }) => key);
  const reason = reasonOf(given);
  const edits =
    keys.length > 0 ? await whileDeciding(open, hunks, () => rejectHunks(open, candidate, keys, reason)) : [];
  if (lost.length > 0) await open.decisions.reject(lost.map(({ id }) => id));
  await threads.open(open.review, candidate, undefined);
  if (reason.kind === 'ask') void askReason(open, edits);
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

/** Scripts and the tree may say why at once; a person is asked. */
function reasonOf(given: unknown): RejectReason {
  if (typeof given !== 'object' || given === null || !('reason' in given)) return { kind: 'ask' };
  return { kind: 'given', reason: typeof given.reason === 'string' ? given.reason : undefined };
}

async function chosenSkill({ host }: Reviews, given: unknown): Promise<string> {
  const named = skillPathOf(given);
  if (named !== undefined) return named;
  const waiting = await host.waiting();
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

function nothingLeft(): UserError {
  return new UserError(
    'proposal-missing',
    vscode.l10n.t('Nothing is left to decide.'),
    vscode.l10n.t('Optimize a skill to get a new proposal.'),
  );
}
