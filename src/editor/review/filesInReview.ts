import type * as vscode from 'vscode';
import type { FileInReview } from '../../review/proposalPlaces.js';
import { documentTitle } from '../../skill/package/packageFile.js';
import type { Snapshot } from './review.js';
import type { OpenReview, Reviews } from './reviews.js';

/** A review with the document that shows its proposal. */
export interface ShownReview {
  readonly open: OpenReview;
  readonly candidate: vscode.Uri;
}

/** A file of a proposal as it is shown, with its texts of this moment and what is open between them. */
export type ReviewedFile = FileInReview & ShownReview & { readonly snapshot: Snapshot };

/** All files of the proposal that a document shows one of, in its order, and which of them it is. */
export async function filesInReview(
  reviews: Pick<Reviews, 'together'>,
  own: ShownReview,
): Promise<{ readonly files: readonly ReviewedFile[]; readonly at: number }> {
  const opened = await reviews.together(own.open);
  const files = opened.map(async (open) => {
    const snapshot = await open.review.snapshot(open === own.open ? own.candidate : undefined);
    const { hunks, candidate } = snapshot;
    const name = documentTitle(open.review.document);
    return { open, candidate: candidate.uri, name, hunks, lineCount: candidate.lineCount, snapshot };
  });
  return { files: await Promise.all(files), at: opened.indexOf(own.open) };
}
