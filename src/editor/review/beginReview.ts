import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import type { ProposedDocument } from '../../ports/proposal.js';
import { readEol, withEol } from '../../skill/document/lines.js';
import type { PendingProposal } from '../../app/proposals/pending.js';
import { agreeSoon } from './documents/agreeWithDisk.js';
import type { CandidateStore } from './documents/candidateStore.js';
import { reviewId } from './documents/candidateUri.js';
import { plainText } from '../../review/proposalTexts.js';
import { Review } from './review.js';
import type { ReviewHost } from './reviewHost.js';
import { firstMemo, wholeMemo } from '../../review/reviewMemo.js';

/** What is to be reviewed. */
export interface ReviewSubject {
  readonly skillPath: string;
  readonly pending: PendingProposal;
  readonly document: ProposedDocument;
}

/** The review of a document, as it was left; a new one where there is none. */
export async function beginReview(store: CandidateStore, subject: ReviewSubject): Promise<Review> {
  const { skillPath, pending, document } = subject;
  const id = reviewId(skillPath, pending.proposal.id, document.path);
  const known = await store.memo(id);
  if (known !== undefined) return new Review(id, store, { pending, document, memo: wholeMemo(known, document) });
  const file = fileOf(pending, document);
  const { text: real } = await agreeSoon(vscode.Uri.file(file));
  const about = { skillPath, file, proposalId: pending.proposal.id, document };
  const memo = firstMemo(about, plainText(real));
  await store.create(id, memo, withEol(memo.texts.proposed, readEol(real).eol));
  return new Review(id, store, { pending, document, memo });
}

function fileOf({ documentFiles }: PendingProposal, { path }: ProposedDocument): string {
  const file = documentFiles[path];
  if (file !== undefined) return file;
  throw new UserError(
    'proposal-not-adoptable',
    vscode.l10n.t('{0} is no file that this proposal may change.', path),
    vscode.l10n.t('Reject the proposal; it was not made for this workspace.'),
  );
}

/** The review behind a document that was restored; undefined where its proposal is gone or another took its place. */
export async function findReview(host: ReviewHost, store: CandidateStore, id: string): Promise<Review | undefined> {
  const memo = await store.memo(id);
  const pending = memo === undefined ? undefined : await host.pending(memo.skillPath);
  if (memo === undefined || pending?.proposal.id !== memo.proposalId) return undefined;
  const document = pending.proposal.documents.find(({ path }) => path === memo.documentPath);
  if (document === undefined) return undefined;
  return new Review(id, store, { pending, document, memo: wholeMemo(memo, document) });
}
