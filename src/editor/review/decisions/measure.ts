import * as vscode from 'vscode';
import { UserError } from '../../../errors.js';
import type { Verdict } from '../../../gate/verdict/verdict.js';
import { readEol, withEol } from '../../../skill/document/lines.js';
import { filesInReview, type ReviewedFile } from '../filesInReview.js';
import { measuredHash } from '../review.js';
import type { Reviews } from '../reviews.js';
import { reviewTarget, skillPathOf } from './hunkTarget.js';
import type { ToldSize } from '../../../app/runs/bound/toldSize.js';
import type { MeasureRequest, ReviewHost } from '../reviewHost.js';
import { shortVerdict } from '../../../wording/shortVerdict.js';
import { showInformation, showWarning } from '../../shown/messages.js';

interface MeasuringParts {
  readonly reviews: Reviews;
}

/**
 * Measures the skill as it is, with the files beside it that hold accepted edits, against what it was without what was
 * taken; the verdict replaces the label.
 */
export async function measureAccepted({ reviews }: MeasuringParts, given: unknown): Promise<void> {
  const skillPath = await skillOf(reviews, given);
  await reviews.settled(skillPath); // the button is there as soon as the text is
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(skillPath));
  const text = document.getText();
  const begun = await Promise.all(
    reviews.begunOf(skillPath).map(async ({ review }) => ({ review, snapshot: await review.snapshot() })),
  );
  const isDirty = document.isDirty || begun.some(({ snapshot }) => snapshot.real.isDirty);
  const status = await reviews.host.measurement(skillPath);
  if (status.kind === 'measured' && !isDirty) return tell(status.verdict); // luck must not be tried twice
  const base = status.kind === 'unmeasured' ? await reviews.host.unmeasuredBase(skillPath) : undefined;
  if (base === undefined || isDirty) throw nothingToMeasure(isDirty);
  const before = withEol(base, readEol(text).eol);
  const measured = await reviews.host.measure({ skillPath, before, after: text });
  if (measured === undefined) return;
  for (const { review, snapshot } of begun) {
    if (review.document.kind === 'memory') continue;
    await review.remember({ measured: { hash: snapshot.realHash, ...measured } });
    reviews.touch(review);
  }
  tell(measured.verdict);
}

/** Measures a proposal that was moved onto changed files, all of them together, before anything of it is taken. */
export async function measureProposal({ reviews }: MeasuringParts, given: unknown): Promise<void> {
  const own = await reviewTarget(reviews, given);
  const { files } = await filesInReview(reviews, own);
  const { skillPath } = own.open.review;
  const measured = await reviews.host.measure({ skillPath, ...(await proposedTexts(skillPath, files)) });
  if (measured === undefined) return;
  const hash = proposedHash(files);
  for (const { open } of files) {
    if (open.review.document.kind === 'memory') continue;
    await open.review.remember({ measured: { hash, ...measured } });
    reviews.touch(open.review);
  }
  tell(measured.verdict);
}

/** What a measurement of a proposal as it is shown is remembered by. */
export function proposedHash(files: readonly ReviewedFile[]): string {
  return measuredHash(files.map(({ open, snapshot }) => [open.review.document, snapshot.candidateText]));
}

/** SKILL.md and every file of the package that the proposal changes, as they are and as they would be. */
async function proposedTexts(
  skillPath: string,
  files: readonly ReviewedFile[],
): Promise<Omit<MeasureRequest, 'skillPath'>> {
  const pairs = files.map(({ open, name, snapshot: { real, realText, candidateText } }) => {
    const { eol } = readEol(real.getText());
    const { kind } = open.review.document;
    return { kind, name, before: withEol(realText, eol), after: withEol(candidateText, eol) };
  });
  const skill = pairs.find(({ kind }) => kind === 'skill');
  const beside = pairs.filter(({ kind, before, after }) => kind === 'file' && before !== after);
  const sideOf = (side: 'before' | 'after') => Object.fromEntries(beside.map((pair) => [pair.name, pair[side]]));
  if (skill === undefined && beside.length === 0) throw nothingToMeasure(false);
  const unchanged = skill === undefined ? await skillText(skillPath) : '';
  const { before, after } = skill ?? { before: unchanged, after: unchanged };
  return {
    before,
    after,
    ...(beside.length === 0 ? {} : { files: { before: sideOf('before'), after: sideOf('after') } }),
  };
}

/** What was taken so far: SKILL.md as it was and as it is, for what it is now lies beside the files that go with it. */
export async function acceptedTexts(
  skillPath: string,
  files: readonly ReviewedFile[],
): Promise<Pick<MeasureRequest, 'before' | 'after'>> {
  const skill = files.find(({ open }) => open.review.document.kind === 'skill');
  if (skill !== undefined) return { before: skill.open.review.memo.texts.base, after: skill.snapshot.realText };
  const text = await skillText(skillPath);
  return { before: text, after: text };
}

async function skillText(skillPath: string): Promise<string> {
  return (await vscode.workspace.openTextDocument(vscode.Uri.file(skillPath))).getText();
}

/** What measuring costs; no price where it cannot be known, which the measuring itself then explains. */
export async function priceOrNone(host: ReviewHost, request: MeasureRequest): Promise<ToldSize | undefined> {
  try {
    return await host.price(request);
  } catch {
    return undefined;
  }
}

async function skillOf(reviews: Reviews, given: unknown): Promise<string> {
  const named = skillPathOf(given);
  return named ?? (await reviewTarget(reviews, given)).open.review.skillPath;
}

function tell(verdict: Verdict): void {
  const words = shortVerdict(verdict);
  if (verdict.kind === 'accepted') void showInformation(words);
  else void showWarning(words);
}

function nothingToMeasure(isDirty: boolean): UserError {
  return isDirty
    ? new UserError(
        'usage',
        vscode.l10n.t('The skill has changes that are not saved.'),
        vscode.l10n.t('Save it first.'),
      )
    : new UserError(
        'usage',
        vscode.l10n.t('The skill holds no part of a proposal that would have to be measured.'),
        vscode.l10n.t('Run “Whetstone: Optimize This Skill” to look for something better.'),
      );
}
