import { readFile } from 'node:fs/promises';
import { UserError } from '../../errors.js';
import type { Proposal, ProposedDocument } from '../../ports/proposal.js';
import type { ProposalReading } from '../proposals/proposals.js';
import { type Receipt, ownReceipts } from './receipts.js';
import type { SkillStore } from '../state/store.js';
import { type Change, changeDocuments, type LiveDocument } from './transaction.js';
import { documentTarget, refuseBesideLearned } from './documentTarget.js';
import { sha256 } from '../../hash.js';
import { documentName, isScriptDocument } from '../../skill/package/packageFile.js';
import { keepsCode } from '../../skill/edits/codeFences.js';

/** What to adopt, and whether a person stands behind it. */
export interface AdoptRequest {
  readonly reading: ProposalReading;
  /** False where no person looks: auto-adopt. Then only what was certified here, whole, is adopted. */
  readonly attended: boolean;
  /** The person was shown a proposal that was made elsewhere, as such, and wants it all the same. */
  readonly madeElsewhere?: boolean | undefined;
  /** By the document's path: what its file must hold, where that is not what the proposal was made from. */
  readonly onto?: Readonly<Record<string, string>>;
  /** Where the person took only a part or edited it: the text to adopt by the document's path. Not measured as it is. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
  /** The ids of the edits that go in, for the receipt. All of the proposal's without it. */
  readonly edits?: readonly string[];
}

/**
 * Writes a proposal into the skill, all documents or none, only onto exactly the bytes it was made from, and gives the
 * receipt that `undoLast` needs. Where a process had done so and was killed before the proposal was put away, it gives
 * that one's. Throws `proposal-stale` where the file has changed since.
 */
export async function adopt(store: SkillStore, request: AdoptRequest, signal: AbortSignal): Promise<Receipt> {
  const proposal = adoptable(request);
  const documents = proposal.documents.filter(
    (document) => adoptedText(request, document) !== textBefore(request, document),
  );
  if (documents.length === 0) throw nothingToAdopt();
  const names = documents.map(({ kind, path }) => ({ kind, documentPath: path }));
  try {
    const plan = (live: readonly LiveDocument[]): Promise<Change> => planAdoption(request, proposal, documents, live);
    return await changeDocuments(store, { names, missing: 'refused' }, plan, signal);
  } catch (error) {
    const done =
      error instanceof UserError && error.code === 'proposal-stale' && (await adoptedBefore(store, proposal));
    if (done === false || done === undefined || !holdsAll(done, request, documents)) throw error;
    return done;
  }
}

/** The last receipt, where it is of this proposal and every file still holds what it says. */
async function adoptedBefore(store: SkillStore, { id }: Proposal): Promise<Receipt | undefined> {
  const [last] = await ownReceipts(store);
  if (last?.action !== 'adopt' || last.proposalId !== id) return undefined;
  for (const { kind, documentPath, after } of last.documents) {
    const target = await documentTarget(store.places, { kind, documentPath });
    if (sha256(await readFile(target)) !== after) return undefined;
  }
  return last;
}

function holdsAll(receipt: Receipt, request: AdoptRequest, documents: readonly ProposedDocument[]): boolean {
  const written = new Set(receipt.documents.map(({ after }) => after));
  return documents.every((document) => written.has(sha256(adoptedText(request, document))));
}

async function planAdoption(
  request: AdoptRequest,
  proposal: Proposal,
  documents: readonly ProposedDocument[],
  live: readonly LiveDocument[],
): Promise<Change> {
  const changes = documents.flatMap((document) => {
    const current = live.find(({ documentPath }) => documentPath === document.path);
    const before = textBefore(request, document);
    if (current === undefined || !Buffer.from(before).equals(current.live)) throw stale(document.path);
    const text = adoptedText(request, document);
    if (document.kind === 'memory') refuseBesideLearned(document.path, before, text);
    return [{ ...current, after: Buffer.from(text) }];
  });
  const edits = request.edits ?? documents.flatMap((document) => document.edits.map(({ id }) => id));
  const verdict = request.texts === undefined ? proposal.verdict.kind : 'unmeasured';
  return { note: { action: 'adopt', proposalId: proposal.id, verdict, edits, undoes: [] }, documents: changes };
}

function textBefore({ onto }: AdoptRequest, { path, baseText }: ProposedDocument): string {
  return onto?.[path] ?? baseText;
}

function adoptedText(request: AdoptRequest, document: ProposedDocument): string {
  return request.texts?.[document.path] ?? document.candidateText;
}

function adoptable({ reading, attended, madeElsewhere, texts }: AdoptRequest): Proposal {
  switch (reading.kind) {
    case 'missing':
      throw new UserError('proposal-missing', 'There is no proposal for this skill.', 'Optimize the skill first.');
    case 'broken':
    case 'newer':
      throw new UserError('proposal-missing', 'The proposal cannot be read.', 'Optimize the skill again.');
    case 'made-elsewhere':
      if (reading.refusal !== undefined) throw reading.refusal;
      if (!attended || madeElsewhere !== true) throw notShown();
      return reading.proposal;
    case 'verified':
      refuseByVerdict(reading.proposal, { unattended: !attended, whole: texts === undefined });
      return reading.proposal;
  }
}

function refuseByVerdict(
  { verdict, documents }: Proposal,
  { unattended, whole }: { readonly unattended: boolean; readonly whole: boolean },
): void {
  if (verdict.kind === 'rejected') {
    throw notAdoptable('No improvement was found for this proposal.', 'Look at why, and optimize again.');
  }
  if (unattended && (verdict.kind !== 'accepted' || !whole)) {
    throw notAdoptable(
      'Only a whole proposal with a proved improvement is adopted unattended.',
      'Review it, and adopt it by hand.',
    );
  }
  if (unattended && documents.some(isScriptDocument)) {
    throw notAdoptable('It changes a script that agents run.', 'Review it, and adopt it by hand.');
  }
  if (unattended && documents.some(({ baseText, candidateText }) => !keepsCode(baseText, candidateText))) {
    throw notAdoptable('It changes code that agents run.', 'Review it, and adopt it by hand.');
  }
}

function notAdoptable(what: string, cure: string): UserError {
  return new UserError('proposal-not-adoptable', what, cure);
}

function nothingToAdopt(): UserError {
  return notAdoptable('The proposal changes nothing.', 'Optimize the skill with more tasks, or leave it as it is.');
}

function notShown(): UserError {
  return new UserError(
    'made-elsewhere',
    'The proposal was made elsewhere and not measured here.',
    'Review it and adopt it by hand, or optimize the skill here.',
  );
}

function stale(documentPath: string): UserError {
  return new UserError(
    'proposal-stale',
    `${documentName(documentPath)} has changed since the proposal was made.`,
    'Rebase the proposal onto the file as it is, or optimize again.',
  );
}
