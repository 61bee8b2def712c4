import * as vscode from 'vscode';
import type { ProposedDocument } from '../../ports/proposal.js';
import { readEol, withEol } from '../../skill/document/lines.js';
import type { PendingProposal } from '../../app/useCases.js';
import { agreeSoon } from './agreeWithDisk.js';
import type { CandidateStore } from './candidateStore.js';
import { reviewId } from './candidateUri.js';
import { plainText } from '../../review/plainText.js';
import { rebase } from '../../review/rebase.js';
import { Review } from './review.js';
import type { ReviewHost } from './reviewHost.js';
import type { ReviewRecord } from '../../review/reviewRecord.js';

/** What is to be reviewed. */
export interface ReviewSubject {
  readonly skillPath: string;
  readonly pending: PendingProposal;
  readonly document: ProposedDocument;
}

/** The review of a document, as it was left; a new one where there is none. */
export async function beginReview(host: ReviewHost, store: CandidateStore, subject: ReviewSubject): Promise<Review> {
  const { skillPath, pending, document } = subject;
  const id = reviewId(skillPath, pending.proposal.id, document.path);
  const known = await store.record(id);
  if (known !== undefined) return new Review(id, store, { pending, document, record: known });
  const file = host.fileOf(skillPath, pending, document);
  const real = (await agreeSoon(vscode.Uri.file(file))).real.getText();
  const record = firstRecord(subject, file, plainText(real));
  await store.create(id, record, withEol(record.ground.proposed, readEol(real).eol));
  return new Review(id, store, { pending, document, record });
}

/** The review behind a document that was restored; undefined where its proposal is gone or another took its place. */
export async function findReview(host: ReviewHost, store: CandidateStore, id: string): Promise<Review | undefined> {
  const record = await store.record(id);
  const pending = record === undefined ? undefined : await host.pending(record.skillPath);
  if (record === undefined || pending?.proposal.id !== record.proposalId) return undefined;
  const document = pending.proposal.documents.find(({ path }) => path === record.documentPath);
  return document === undefined ? undefined : new Review(id, store, { pending, document, record });
}

/** A proposal made from another text than the file holds now is moved onto it, as far as that goes. */
function firstRecord({ skillPath, pending, document }: ReviewSubject, file: string, real: string): ReviewRecord {
  const made = { base: plainText(document.baseText), proposed: plainText(document.candidateText) };
  const rebased = made.base === real ? undefined : rebase(made, document.edits, real);
  return {
    skillPath,
    file,
    proposalId: pending.proposal.id,
    documentPath: document.path,
    ground: rebased?.ground ?? made,
    real,
    rebased: rebased !== undefined,
    lost: rebased?.lost ?? [],
    accepts: [],
    measured: undefined,
  };
}
