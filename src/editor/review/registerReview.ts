import * as vscode from 'vscode';
import { BaseTexts } from './baseTexts.js';
import { FileActions } from './fileActions.js';
import { FileLenses } from './fileLenses.js';
import { RationaleThreads } from './rationaleThreads.js';
import { registerReviewCommands } from './reviewCommands.js';
import { ReviewContext } from './reviewContext.js';
import type { ReviewHost } from './reviewHost.js';
import { ReviewLenses } from './reviewLenses.js';
import { Reviews } from './reviews.js';

/** Opens the review room: documents, lenses, reasons, quick fixes and commands. Nothing is read before it is needed. */
export function registerReview(host: ReviewHost): vscode.Disposable {
  const reviews = new Reviews(host);
  const threads = new RationaleThreads(reviews);
  const bases = new BaseTexts();
  return vscode.Disposable.from(
    reviews,
    threads,
    bases,
    new ReviewLenses(reviews),
    new FileLenses(reviews),
    new FileActions(reviews),
    new ReviewContext(reviews),
    registerReviewCommands({ reviews, threads, bases }),
  );
}
