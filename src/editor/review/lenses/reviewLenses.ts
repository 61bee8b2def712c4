import * as vscode from 'vscode';
import { candidateScheme } from '../documents/candidateUri.js';
import { topLine } from '../../../review/hunkPlace.js';
import { fileAfter, placesIn, type PlaceInProposal } from '../../../review/proposalPlaces.js';
import {
  decidedHereTitle,
  finishedTitle,
  hunkTitle,
  nextInTitle,
  priceText,
  verdictTitle,
} from '../../../wording/lensTitles.js';
import { countDecisions, type DecidedEdits } from '../../../wording/decidedEdits.js';
import { shownLine, withIcon, type ShownText } from '../../../wording/shownText.js';
import type { MeasuredText } from '../../../review/measurementStatus.js';
import type { Review } from '../review.js';
import { isOffered, openEdits, type ReviewedHunk } from '../../../review/reviewHunks.js';
import { acceptedTexts, priceOrNone, proposedHash } from '../decisions/measure.js';
import type { ToldSize } from '../../../app/runs/bound/toldSize.js';
import { lensOf, wordsOf } from '../../shown/lens.js';
import { filesInReview, type ReviewedFile } from '../filesInReview.js';
import type { Reviews } from '../reviews.js';

/** The rows of buttons in a proposal: one about the whole, and one above each change. */
export class ReviewLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #reviews: Reviews;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #disposables: vscode.Disposable;
  /** Where the top row last stood: with the last change decided, its lines are the only ones that are not folded. */
  readonly #lastTop = new Map<string, number>();
  readonly #prices = new Map<string, ToldSize | undefined>();

  constructor(reviews: Reviews) {
    this.#reviews = reviews;
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      reviews.onDidChange(() => this.#changed.fire()),
      vscode.languages.registerCodeLensProvider({ scheme: candidateScheme }, this),
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const open = await this.#reviews.ofCandidate(document.uri);
    if (open === undefined) return [];
    const { files, at } = await filesInReview(this.#reviews, { open, candidate: document.uri });
    const own = files[at];
    if (own === undefined) return [];
    const { review } = open;
    const canAccept = review.whyNotAcceptable() === undefined;
    const places = placesIn(files, at);
    const rows = own.hunks.map((hunk, index) =>
      hunkRow(own.candidate, hunk, places[index], canAccept && !review.isBeingDecided(hunk)),
    );
    // Lenses on one line are one row: a change of the first line goes before what is said about the whole.
    const [first = [], ...others] = rows;
    return [...first, ...this.#topRow(own, files, fileAfter(files, at)), ...others.flat()];
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** `next` is another file that has something open. */
  #topRow(own: ReviewedFile, files: readonly ReviewedFile[], next: string | undefined): vscode.CodeLens[] {
    const { review } = own.open;
    const { hunks, status, candidate } = own.snapshot;
    const { skillPath, memo } = review;
    const line = topLine(hunks) ?? Math.min(this.#lastTop.get(review.id) ?? 0, candidate.lineCount - 1);
    this.#lastTop.set(review.id, line);
    const at = { line, argument: { skillPath, candidate: candidate.uri.toString() } };
    const open = hunks.filter((hunk) => !review.isBeingDecided(hunk));
    return [
      ...(review.superseded ? [lens(at, 'whetstone.review', newerTitle())] : []),
      ...(review.whyNotAcceptable() === undefined ? decideAllLenses(at, review, open, files) : []),
      ...(memo.rebased ? [lens(at, 'whetstone.showBaseChanges', changedTitle(memo.lost))] : []),
      ...evidenceLenses(at, own, files),
      ...(status.kind === 'unmeasured' && holdsPart(own, files) ? this.#measureLenses(at, own, files) : []),
      ...(hunks.length === 0 && next !== undefined ? [lens(at, 'whetstone.nextEdit', nextInTitle(next))] : []),
      ...verdictTitles(own, files, next).map((title) => wordsOf(rangeAt(line), title)),
    ];
  }

  /** The button, then its price as words. Nobody waits for a price: until it is known, the row is shown without it. */
  #measureLenses(at: LensPlace, own: ReviewedFile, files: readonly ReviewedFile[]): vscode.CodeLens[] {
    const { realHash } = own.snapshot;
    const price = this.#prices.get(realHash);
    if (!this.#prices.has(realHash)) void this.#askPrice(realHash, own, files);
    const title = withIcon('dashboard', vscode.l10n.t('Measure What I Accepted'));
    const words = price === undefined ? [] : [wordsOf(rangeAt(at.line), shownLine(priceText(price)))];
    return [lens(at, 'whetstone.measureAccepted', title), ...words];
  }

  async #askPrice(hash: string, own: ReviewedFile, files: readonly ReviewedFile[]): Promise<void> {
    this.#prices.set(hash, undefined); // asked for
    const { skillPath } = own.open.review;
    const price = await priceOrNone(this.#reviews.host, { skillPath, ...(await acceptedTexts(skillPath, files)) });
    if (price === undefined) return void this.#prices.delete(hash);
    this.#prices.set(hash, price);
    this.#changed.fire();
  }
}

/** Whether a measurement would have something of the proposal to measure: a memory file is measured with nothing. */
function holdsPart({ open }: ReviewedFile, files: readonly ReviewedFile[]): boolean {
  if (open.review.document.kind === 'memory') return false;
  return files.some(({ open: { review }, snapshot }) => {
    return review.document.kind !== 'memory' && snapshot.realText !== review.memo.texts.base;
  });
}

interface LensPlace {
  readonly line: number;
  readonly argument: object;
}

function newerTitle(): ShownText {
  return withIcon('warning', vscode.l10n.t('A newer proposal waits: Review It'));
}

/**
 * No run of this person's made a stranger's proposal, so there is no report that a press could open. It is measured here,
 * as is one of which a file changed since its run.
 */
function evidenceLenses(at: LensPlace, { open }: ReviewedFile, files: readonly ReviewedFile[]): vscode.CodeLens[] {
  const { pending, document, superseded } = open.review;
  const report = lens(at, 'whetstone.reviewReport', shownLine(vscode.l10n.t('Report')));
  const measure = lens(at, 'whetstone.measureProposal', withIcon('dashboard', vscode.l10n.t('Measure It Here')));
  const isOpen = document.kind !== 'memory' && files.some(({ hunks }) => hunks.length > 0);
  const isNew = !pending.own || (isRebased(files) && !superseded && remeasured(open.review, files) === undefined);
  return [...(pending.own ? [report] : []), ...(isOpen && isNew ? [measure] : [])];
}

/** Whether one of the files is no longer what the run measured. */
function isRebased(files: readonly ReviewedFile[]): boolean {
  return files.some(({ open }) => open.review.memo.rebased);
}

/** What measuring the proposal gave, as it is shown now. */
function remeasured({ memo: { measured } }: Review, files: readonly ReviewedFile[]): MeasuredText | undefined {
  return measured?.hash === proposedHash(files) ? measured : undefined;
}

/** What came of the review once all is decided, and what is known about the text. */
function verdictTitles(
  { open: { review }, snapshot: { hunks, status } }: ReviewedFile,
  files: readonly ReviewedFile[],
  next: string | undefined,
): readonly ShownText[] {
  if (review.superseded) return [];
  const { proposal } = review.pending;
  const edits = decidedIn(review.pending, files);
  const verdict = verdictTitle({
    proposal,
    status,
    rebased: isRebased(files),
    remeasured: remeasured(review, files),
    edits,
  });
  if (hunks.length > 0) return [verdict];
  const finished = edits.open === 0 ? finishedTitle(status) : decidedHereTitle(edits.open, next);
  return status.kind === 'untouched' ? [finished] : [finished, verdict];
}

/** As the texts show it; as it was told for a file that cannot be opened now. */
function decidedIn({ proposal, decisions }: Review['pending'], files: readonly ReviewedFile[]): DecidedEdits {
  const seen = new Map(files.map(({ open: { review }, hunks }) => [review.document.path, decidedHere(review, hunks)]));
  const counts = proposal.documents.map((document) => {
    return seen.get(document.path) ?? countDecisions({ documents: [document] }, decisions);
  });
  return {
    all: counts.reduce((sum, each) => sum + each.all, 0),
    open: counts.reduce((sum, each) => sum + each.open, 0),
    rejected: counts.reduce((sum, each) => sum + each.rejected, 0),
  };
}

/** What has no place in the file any more is open as long as the proposal waits: it is to be put away. */
function decidedHere(review: Review, hunks: readonly ReviewedHunk[]): DecidedEdits {
  const { document, edits, memo, pending, isPutAway } = review;
  const open = openEdits(hunks);
  const lost = isPutAway ? [] : memo.lost.filter(({ id }) => pending.decisions[id] === undefined);
  return {
    all: document.edits.length,
    open: open.size + lost.length,
    rejected: edits.filter(({ id }) => !open.has(id)).length,
  };
}

/** Edits that lost their place have no row of their own: with them left, the whole can still be put away. */
function decideAllLenses(
  at: LensPlace,
  { memo, pending, skillPath }: Review,
  hunks: readonly ReviewedHunk[],
  files: readonly ReviewedFile[],
): vscode.CodeLens[] {
  const several = pending.proposal.documents.length > 1;
  const offering = files.filter((file) => file.hunks.some(isOffered)).length;
  const all = several ? vscode.l10n.t('Accept All in This File') : vscode.l10n.t('Accept All');
  const none = several ? vscode.l10n.t('Reject All in This File') : vscode.l10n.t('Reject All');
  const accept = lens(at, 'whetstone.acceptAllHunks', withIcon('check-all', all));
  const word = hunks.length > 0 ? none : vscode.l10n.t('Put Away');
  const reject = lens(at, 'whetstone.rejectAllHunks', withIcon('close-all', word));
  return [
    ...(hunks.some(isOffered) ? [accept] : []),
    ...(hunks.length + memo.lost.length > 0 ? [reject] : []),
    ...(hunks.some(isOffered) && offering > 1 ? [acceptEverywhere(at.line, skillPath, offering)] : []),
  ];
}

/** A list of diffs has no buttons in its title for the whole: the row of each file has one. */
function acceptEverywhere(line: number, skillPath: string, files: number): vscode.CodeLens {
  const title = withIcon('check-all', vscode.l10n.t('Accept All in {0} Files', files));
  return lensOf(rangeAt(line), title, { command: 'whetstone.acceptAllHunks', arguments: [skillPath] });
}

function hunkRow(
  candidate: vscode.Uri,
  reviewed: ReviewedHunk,
  place: PlaceInProposal | undefined,
  canAccept: boolean,
): vscode.CodeLens[] {
  if (place === undefined) return [];
  const { key, name } = reviewed;
  const at = { line: place.line, argument: { candidate: candidate.toString(), key, name } };
  const accept = lens(at, 'whetstone.acceptHunk', withIcon('check', vscode.l10n.t('Accept')));
  const reject = lens(at, 'whetstone.rejectHunk', withIcon('close', vscode.l10n.t('Reject')));
  const keep = lens(at, 'whetstone.rejectHunk', withIcon('check', vscode.l10n.t('Keep Mine')));
  const decide = reviewed.origin.kind === 'file' ? [keep] : canAccept ? [accept, reject] : [];
  // The buttons first: in a narrow window the end of a row is out of reach.
  return [
    ...decide,
    lens(at, 'whetstone.explainHunk', withIcon('comment', vscode.l10n.t('Why'))),
    wordsOf(rangeAt(place.line), hunkTitle(reviewed, place)),
    ...(place.nextIn === undefined ? [] : [lens(at, 'whetstone.nextEdit', nextInTitle(place.nextIn))]),
  ];
}

function changedTitle(lost: readonly { readonly id: string }[]): ShownText {
  const ids = lost.map(({ id }) => id).join(', ');
  return lost.length === 0
    ? shownLine(vscode.l10n.t('What Changed'))
    : withIcon('warning', vscode.l10n.t('{0} no longer fits: What Changed', ids));
}

function lens({ line, argument }: LensPlace, command: string, title: ShownText): vscode.CodeLens {
  return lensOf(rangeAt(line), title, { command, arguments: [argument] });
}

function rangeAt(line: number): vscode.Range {
  return new vscode.Range(line, 0, line, 0);
}
