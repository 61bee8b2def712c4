import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import type { ProposedDocument, ProposedEdit } from '../../ports/proposal.js';
import type { EditorWrite } from '../../app/proposals/editorWrites.js';
import type { PendingProposal } from '../../app/proposals/pending.js';
import type { CandidateStore } from './documents/candidateStore.js';
import { candidateUri, isCandidate } from './documents/candidateUri.js';
import { isShown } from './documents/shownCandidates.js';
import { explainHunks, type Explanation } from '../../review/explainHunks.js';
import { plainText, type ProposalTexts } from '../../review/proposalTexts.js';
import type { ReviewTexts } from '../../review/openChange.js';
import { editIds, openEdits, reviewState, type ReviewedHunk, type ReviewState } from '../../review/reviewHunks.js';
import { wholeMemo, type ReviewMemo } from '../../review/reviewMemo.js';
import {
  statusInReview,
  textsHash,
  type MeasurementStatus,
  type TextUnderReview,
} from '../../review/measurementStatus.js';

/** The two documents at one moment, and what is left to decide between them. */
export interface Snapshot {
  readonly real: vscode.TextDocument;
  readonly candidate: vscode.TextDocument;
  readonly realText: string;
  readonly candidateText: string;
  readonly hunks: readonly ReviewedHunk[];
  readonly status: MeasurementStatus;
  /** What a measurement of the proposal's files as they are now would be remembered by. */
  readonly realHash: string;
  /** What the hunks were derived from. */
  readonly texts: ReviewTexts;
  readonly state: ReviewState;
}

/** One document of one proposal under review. Its state is the two texts; everything else is derived from them. */
export class Review {
  readonly id: string;
  readonly skillPath: string;
  readonly file: vscode.Uri;
  readonly document: ProposedDocument;
  /** The edits that have a place in the file. */
  readonly edits: readonly ProposedEdit[];
  readonly #store: CandidateStore;
  #pending: PendingProposal;
  #memo: ReviewMemo;
  #superseded = false;
  #isPutAway = false;
  #explained: { readonly texts: ProposalTexts; readonly explanation: Explanation } | undefined;
  readonly #snapshots = new Map<string, { readonly versions: string; readonly snapshot: Snapshot }>();
  #writing: Promise<void> = Promise.resolve();
  #changing: Promise<void> = Promise.resolve();

  constructor(
    id: string,
    store: CandidateStore,
    about: { readonly pending: PendingProposal; readonly document: ProposedDocument; readonly memo: ReviewMemo },
  ) {
    const { pending, document, memo } = about;
    this.id = id;
    this.skillPath = memo.skillPath;
    this.file = vscode.Uri.file(memo.file);
    this.document = document;
    const lost = new Set(memo.lost.map((edit) => edit.id));
    const placed = document.edits.filter((edit) => !lost.has(edit.id));
    // What an edit was worth on another text proves nothing here.
    const unknown = { kind: 'not-measured-singly' } as const;
    this.edits = memo.rebased ? placed.map((edit) => ({ ...edit, worth: unknown })) : placed;
    this.#store = store;
    this.#pending = pending;
    this.#memo = memo;
  }

  /**
   * The edits that are being decided, by id, and changes of the person's own by key: from the press on they have no
   * buttons any more, while the texts are still on their way.
   */
  readonly deciding = new Set<string>();

  /** Whether a press decided on this change already. */
  isBeingDecided(hunk: ReviewedHunk): boolean {
    return decidedNames([hunk]).some((name) => this.deciding.has(name));
  }

  get pending(): PendingProposal {
    return this.#pending;
  }

  get memo(): ReviewMemo {
    return this.#memo;
  }

  /** Where the proposal is shown by itself. */
  get candidate(): vscode.Uri {
    return candidateUri(this.id, this.#pending.proposal.skillName, this.file);
  }

  /** A newer proposal took its place: it can be looked at, and no longer decided. */
  get superseded(): boolean {
    return this.#superseded;
  }

  /** Everything in the proposal is decided, here or elsewhere: it waits no longer, unless a decision is taken back. */
  get isPutAway(): boolean {
    return this.#isPutAway;
  }

  /** What another window or the command line made of the proposal. Undefined: it was put away. */
  reload(pending: PendingProposal | undefined): void {
    this.#isPutAway = pending === undefined;
    this.#superseded = pending !== undefined && pending.proposal.id !== this.#memo.proposalId;
    if (pending !== undefined && !this.#superseded) this.#pending = pending;
  }

  /** Why nothing can be accepted here, as an error to be shown; undefined where it can. */
  whyNotAcceptable(): UserError | undefined {
    if (this.#superseded) {
      return new UserError(
        'proposal-stale',
        vscode.l10n.t('A newer proposal took the place of this one.'),
        vscode.l10n.t('Review the newer one.'),
      );
    }
    if (this.#pending.refusal !== undefined) return this.#pending.refusal;
    if (this.#pending.proposal.verdict.kind !== 'rejected') return undefined;
    return new UserError(
      'proposal-not-adoptable',
      vscode.l10n.t('No improvement was found for this proposal, so it is only shown.'),
      vscode.l10n.t('Copy what you like by hand, or optimize again.'),
    );
  }

  /** What is about to be written to the file, for whoever says whether that may be; without a change, one is taken back. */
  writeOf(change: EditorWrite['change']): EditorWrite {
    return { documentPath: this.document.path, file: this.#memo.file, pending: this.#pending, change };
  }

  /** Both documents as they are now, opened if need be. */
  async snapshot(uri: vscode.Uri = this.#shownCandidate()): Promise<Snapshot> {
    const real = await vscode.workspace.openTextDocument(this.file);
    const candidate = await vscode.workspace.openTextDocument(uri);
    const others = await this.#others();
    const now = measuredHash(others.texts);
    const versions = `${real.version} ${candidate.version} ${this.#memo.measured?.hash} ${others.taken} ${now}`;
    const known = this.#snapshots.get(uri.toString());
    const isKnown = known?.snapshot.real === real && known.snapshot.candidate === candidate;
    if (isKnown && known.versions === versions && this.#explained?.texts === this.#memo.texts) return known.snapshot;
    const snapshot = this.#look(real, candidate, others);
    this.#snapshots.set(uri.toString(), { versions, snapshot });
    return snapshot;
  }

  /** One change of the texts at a time: two that were made of the same text would not fit each other. */
  exclusively<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#changing.then(change);
    this.#changing = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  /** Replaces what is remembered; written in the order of the calls. A write that failed keeps no later one from disk. */
  async remember(change: Partial<ReviewMemo>): Promise<void> {
    this.#memo = { ...this.#memo, ...change };
    const written = this.#writing.then(() => this.#store.writeMemo(this.id, this.#memo));
    this.#writing = written.catch(() => undefined);
    await written;
  }

  /** Takes over what another window has written since: what it accepted, and how far it followed the file. */
  async reread(): Promise<void> {
    await this.#writing;
    const stored = await this.#store.memo(this.id);
    if (stored === undefined) return;
    const memo = wholeMemo(stored, this.document);
    const mine = this.#memo.accepts;
    const others = memo.accepts.filter(([a, b]) => !mine.some(([before, after]) => a === before && b === after));
    const { base, proposed } = this.#memo.texts;
    const isSame = memo.texts.base === base && memo.texts.proposed === proposed;
    this.#memo = {
      ...memo,
      texts: isSame ? this.#memo.texts : memo.texts,
      accepts: [...mine, ...others],
    };
  }

  #look(real: vscode.TextDocument, candidate: vscode.TextDocument, others: OtherDocuments): Snapshot {
    const { texts, measured } = this.#memo;
    const [realText, candidateText] = [plainText(real.getText()), plainText(candidate.getText())];
    const both = { texts, explained: this.#explain(texts), real: realText, candidate: candidateText };
    const state = reviewState(both);
    const { hunks } = state;
    const realHash = measuredHash([...others.texts, [this.document, realText]]);
    const status = statusInReview({
      texts,
      certified: plainText(this.document.candidateText),
      real: realText,
      edits: this.edits,
      open: openEdits(hunks),
      measured,
      others,
      hash: realHash,
    });
    return { real, candidate, realText, candidateText, hunks, status, realHash, texts: both, state };
  }

  /** The other documents as they are now: what was decided on them may be gone again, or not be told to us yet. */
  async #others(): Promise<OtherDocuments> {
    const { proposal, decisions, documentFiles } = this.#pending;
    let [taken, of] = [0, 0];
    const texts: [ProposedDocument, string][] = [];
    for (const document of proposal.documents) {
      const { path, edits } = document;
      if (path === this.document.path) continue;
      const text = await textOf(documentFiles[path]);
      const accepted = edits.filter(({ id }) => decisions[id]?.kind === 'accepted').length;
      taken += takenIn(document, text, accepted);
      of += edits.length;
      texts.push([document, text ?? '']);
    }
    return { taken, of, texts };
  }

  #explain(texts: ProposalTexts): Explanation {
    if (this.#explained?.texts !== texts)
      this.#explained = { texts, explanation: explainHunks(texts, this.edits, this.document.scope) };
    return this.#explained.explanation;
  }

  #shownCandidate(): vscode.Uri {
    const open = vscode.workspace.textDocuments.filter(({ uri }) => isCandidate(uri) && uri.authority === this.id);
    const own = this.candidate.toString();
    // A document outlives its tab for a while: the one that the person sees is meant, be it in a list of many.
    const seen = open.find(({ uri }) => isShown(uri));
    return (seen ?? open.find(({ uri }) => uri.toString() === own) ?? open[0])?.uri ?? this.candidate;
  }
}

/** How many of its edits a document holds: all or none of them as its text says, a part as it was told. */
function takenIn({ edits, baseText, candidateText }: ProposedDocument, text: string | undefined, told: number): number {
  if (text === plainText(candidateText)) return edits.length;
  return text === plainText(baseText) ? 0 : Math.max(0, Math.min(told, edits.length - 1));
}

/** The documents of the proposal beside the one under review. */
type OtherDocuments = TextUnderReview['others'] & { readonly texts: readonly DocumentText[] };

/** A document with a text of it. */
export type DocumentText = readonly [document: Pick<ProposedDocument, 'kind' | 'path'>, text: string];

/** What a measurement of these texts is remembered by. A memory file is measured with nothing. */
export function measuredHash(texts: readonly DocumentText[]): string {
  const measured = texts.filter(([{ kind }]) => kind !== 'memory');
  return textsHash(Object.fromEntries(measured.map(([{ path }, text]) => [path, text])));
}

/** What a decision on these changes decides. */
export function decidedNames(hunks: readonly ReviewedHunk[]): readonly string[] {
  return hunks.flatMap((hunk) => {
    const edits = editIds([hunk]);
    return edits.length > 0 ? edits : [hunk.key];
  });
}

async function textOf(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  return vscode.workspace.openTextDocument(vscode.Uri.file(file)).then(
    (document) => plainText(document.getText()),
    () => undefined, // a file that is gone holds nothing of the proposal
  );
}
