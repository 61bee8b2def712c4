import * as vscode from 'vscode';
import { reportError } from '../reportError.js';
import { BaseTexts } from './baseTexts.js';
import { FileActions } from './fileActions.js';
import { FileLenses } from './fileLenses.js';
import { RationaleThreads } from './rationaleThreads.js';
import { registerReviewCommands } from './reviewCommands.js';
import { ReviewContext } from './reviewContext.js';
import type { ReviewHost } from './reviewHost.js';
import { ReviewLenses } from './reviewLenses.js';
import { Reviews } from './reviews.js';
import { Standings } from './standings.js';

/** Opens the review room: documents, lenses, reasons, quick fixes and commands. Nothing is read before it is needed. */
export function registerReview(host: ReviewHost): vscode.Disposable {
  const reviews = new Reviews(host);
  const standings = new Standings(host.storage);
  const threads = new RationaleThreads(reviews);
  const bases = new BaseTexts();
  return vscode.Disposable.from(
    reviews,
    standings,
    threads,
    bases,
    new ReviewLenses(reviews),
    new FileLenses(reviews, standings),
    new FileActions(reviews),
    new ReviewContext(reviews),
    reviews.onDidChange((review) => {
      void review.snapshot().then((snapshot) => standings.note(review, snapshot), reportError);
    }),
    registerReviewCommands({ reviews, threads, bases, standings }),
  );
}
