import { sha256 } from '../../../hash.js';
import * as vscode from 'vscode';
import { UserError } from '../../../errors.js';
import type { Verdict } from '../../../gate/verdict/verdict.js';
import { readEol, withEol } from '../../../skill/document/lines.js';
import { plainText } from '../../../review/proposalTexts.js';
import { reviewTarget, skillPathOf } from './hunkTarget.js';
import type { ReviewParts } from '../reviewCommands.js';
import type { ToldSize } from '../../../app/runs/bound/toldSize.js';
import type { MeasureRequest, ReviewHost } from '../reviewHost.js';
import { shortVerdict } from '../../../wording/shortVerdict.js';
import { showInformation, showWarning } from '../../shown/messages.js';

/** Measures the skill as it is in the file, against the text without what was taken; the verdict replaces the label. */
export async function measureAccepted(parts: ReviewParts, given: unknown): Promise<void> {
  const { reviews } = parts;
  const skillPath = await skillOf(parts, given);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(skillPath));
  const text = document.getText();
  const status = await reviews.host.measurement(skillPath);
  if (status.kind === 'measured' && !document.isDirty) return tell(status.verdict); // luck must not be tried twice
  const base = status.kind === 'unmeasured' ? await reviews.host.unmeasuredBase(skillPath) : undefined;
  if (base === undefined || document.isDirty) throw nothingToMeasure(document.isDirty);
  const before = withEol(base, readEol(text).eol);
  const measured = await reviews.host.measure({ skillPath, before, after: text });
  if (measured === undefined) return;
  for (const { review } of reviews.ofFile(document.uri)) {
    await review.remember({ measured: { hash: sha256(plainText(text)), ...measured } });
    reviews.touch(review);
  }
  tell(measured.verdict);
}

/** Measures a proposal that was moved onto a changed file, before anything of it is taken. */
export async function measureProposal({ reviews }: Pick<ReviewParts, 'reviews'>, given: unknown): Promise<void> {
  const { open } = await reviewTarget(reviews, given);
  const { real, realText, candidateText } = await open.review.snapshot();
  const { eol } = readEol(real.getText());
  const texts = { before: withEol(realText, eol), after: withEol(candidateText, eol) };
  const measured = await reviews.host.measure({ skillPath: open.review.skillPath, ...texts });
  if (measured === undefined) return;
  await open.review.remember({ measured: { hash: sha256(candidateText), ...measured } });
  reviews.touch(open.review);
  tell(measured.verdict);
}

/** What measuring costs; no price where it cannot be known, which the measuring itself then explains. */
export async function priceOrNone(host: ReviewHost, request: MeasureRequest): Promise<ToldSize | undefined> {
  try {
    return await host.price(request);
  } catch {
    return undefined;
  }
}

async function skillOf({ reviews }: ReviewParts, given: unknown): Promise<string> {
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
