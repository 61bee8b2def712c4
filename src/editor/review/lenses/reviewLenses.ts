import { sha256 } from '../../../hash.js';
import * as vscode from 'vscode';
import { candidateScheme } from '../documents/candidateUri.js';
import { lensLines, topLine } from '../../../review/hunkPlace.js';
import { decidedHereTitle, finishedTitle, hunkTitle, priceText, verdictTitle } from '../../../wording/lensTitles.js';
import { countDecisions, type DecidedEdits } from '../../../wording/decidedEdits.js';
import { shownLine, withIcon, type ShownText } from '../../../wording/shownText.js';
import type { Review, Snapshot } from '../review.js';
import { firstPlaces, isOffered, openEdits, withTheirUnits, type ReviewedHunk } from '../../../review/reviewHunks.js';
import { priceOrNone } from '../decisions/measure.js';
import type { ToldSize } from '../../../app/runs/bound/toldSize.js';
import { lensOf, wordsOf } from '../../shown/lens.js';
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
    const { review } = open;
    const snapshot = await review.snapshot(document.uri);
    const canAccept = review.whyNotAcceptable() === undefined;
    const decisions = firstPlaces(snapshot.hunks);
    const lines = lensLines(snapshot.hunks, snapshot.candidate.lineCount);
    const rows = snapshot.hunks.map((hunk, index) => {
      const [first] = withTheirUnits(snapshot.hunks, [hunk]);
      const number = decisions.indexOf(first ?? hunk) + 1;
      const canDecide = canAccept && !review.isBeingDecided(hunk);
      return hunkRow(snapshot, hunk, { number, of: decisions.length, line: lines[index] ?? 0 }, canDecide);
    });
    // Lenses on one line are one row: a change of the first line goes before what is said about the whole.
    const [first = [], ...others] = rows;
    return [...first, ...this.#topRow(review, snapshot, canAccept), ...others.flat()];
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #topRow(review: Review, snapshot: Snapshot, canAccept: boolean): vscode.CodeLens[] {
    const { hunks, status, candidate } = snapshot;
    const { skillPath, record } = review;
    const line = topLine(hunks) ?? Math.min(this.#lastTop.get(review.id) ?? 0, candidate.lineCount - 1);
    this.#lastTop.set(review.id, line);
    const at = { line, argument: { skillPath, candidate: candidate.uri.toString() } };
    // A measurement is remembered for the text of SKILL.md: where edits of other files alone were taken there is none to remember.
    const isPart = review.document.kind === 'skill' && snapshot.realText !== record.texts.base;
    const measure = status.kind === 'unmeasured' && isPart ? this.#measureLenses(at, review, snapshot) : [];
    return [
      ...(review.superseded ? [lens(at, 'whetstone.review', newerTitle())] : []),
      ...(canAccept
        ? decideAllLenses(
            at,
            review,
            hunks.filter((hunk) => !review.isBeingDecided(hunk)),
          )
        : []),
      ...(record.rebased ? [lens(at, 'whetstone.showBaseChanges', changedTitle(record.lost))] : []),
      ...evidenceLenses(at, review, hunks),
      ...measure,
      ...verdictTitles(review, snapshot).map((title) => wordsOf(rangeAt(line), title)),
    ];
  }

  /** The button, then its price as words. Nobody waits for a price: until it is known, the row is shown without it. */
  #measureLenses(at: LensPlace, review: Review, { realText }: Snapshot): vscode.CodeLens[] {
    const price = this.#prices.get(realText);
    if (!this.#prices.has(realText)) void this.#askPrice(review, realText);
    const title = withIcon('dashboard', vscode.l10n.t('Measure What I Accepted'));
    const words = price === undefined ? [] : [wordsOf(rangeAt(at.line), shownLine(priceText(price)))];
    return [lens(at, 'whetstone.measureAccepted', title), ...words];
  }

  async #askPrice({ skillPath, record }: Review, after: string): Promise<void> {
    this.#prices.set(after, undefined); // asked for
    const price = await priceOrNone(this.#reviews.host, { skillPath, before: record.texts.base, after });
    if (price === undefined) return void this.#prices.delete(after);
    this.#prices.set(after, price);
    this.#changed.fire();
  }
}

interface LensPlace {
  readonly line: number;
  readonly argument: object;
}

function newerTitle(): ShownText {
  return withIcon('warning', vscode.l10n.t('A newer proposal waits: Review It'));
}

/** No run of this person's made a stranger's proposal, so there is no report that a press could open. */
function evidenceLenses(at: LensPlace, { pending }: Review, hunks: readonly ReviewedHunk[]): vscode.CodeLens[] {
  if (pending.own) return [lens(at, 'whetstone.reviewReport', shownLine(vscode.l10n.t('Report')))];
  if (hunks.length === 0) return [];
  return [lens(at, 'whetstone.measureProposal', withIcon('dashboard', vscode.l10n.t('Measure It Here')))];
}

/** What came of the review once all is decided, and what is known about the text. */
function verdictTitles(review: Review, { hunks, status, candidateText }: Snapshot): readonly ShownText[] {
  if (review.superseded) return [];
  const { proposal } = review.pending;
  const { rebased, measured } = review.record;
  const remeasured = measured?.hash === sha256(candidateText) ? measured : undefined;
  const edits = decidedHere(review, hunks);
  const verdict = verdictTitle({ proposal, status, rebased, remeasured, edits });
  if (hunks.length > 0) return [verdict];
  const finished = edits.open === 0 ? finishedTitle(status) : decidedHereTitle(edits.open);
  return status.kind === 'untouched' ? [finished] : [finished, verdict];
}

/** As the texts show it for this document; as it was told for the others. */
function decidedHere({ pending, document, edits }: Review, hunks: readonly ReviewedHunk[]): DecidedEdits {
  const open = openEdits(hunks);
  const { proposal, decisions } = pending;
  const others = proposal.documents.filter(({ path }) => path !== document.path);
  const told = countDecisions({ documents: others }, decisions);
  return {
    all: told.all + document.edits.length,
    open: told.open + open.size,
    rejected: told.rejected + edits.filter(({ id }) => !open.has(id)).length,
  };
}

/** Edits that lost their place have no row of their own: with them left, the whole can still be put away. */
function decideAllLenses(
  at: LensPlace,
  { record, pending }: Review,
  hunks: readonly ReviewedHunk[],
): vscode.CodeLens[] {
  const several = pending.proposal.documents.length > 1;
  const all = several ? vscode.l10n.t('Accept All in This File') : vscode.l10n.t('Accept All');
  const none = several ? vscode.l10n.t('Reject All in This File') : vscode.l10n.t('Reject All');
  const accept = lens(at, 'whetstone.acceptAllHunks', withIcon('check-all', all));
  const word = hunks.length > 0 ? none : vscode.l10n.t('Put Away');
  const reject = lens(at, 'whetstone.rejectAllHunks', withIcon('close-all', word));
  return [...(hunks.some(isOffered) ? [accept] : []), ...(hunks.length + record.lost.length > 0 ? [reject] : [])];
}

function hunkRow(
  { candidate }: Snapshot,
  reviewed: ReviewedHunk,
  place: { readonly number: number; readonly of: number; readonly line: number },
  canAccept: boolean,
): vscode.CodeLens[] {
  const { key, name } = reviewed;
  const at = { line: place.line, argument: { candidate: candidate.uri.toString(), key, name } };
  const accept = lens(at, 'whetstone.acceptHunk', withIcon('check', vscode.l10n.t('Accept')));
  const reject = lens(at, 'whetstone.rejectHunk', withIcon('close', vscode.l10n.t('Reject')));
  const keep = lens(at, 'whetstone.rejectHunk', withIcon('check', vscode.l10n.t('Keep Mine')));
  const decide = reviewed.origin.kind === 'file' ? [keep] : canAccept ? [accept, reject] : [];
  // The buttons first: in a narrow window the end of a row is out of reach.
  return [
    ...decide,
    lens(at, 'whetstone.explainHunk', withIcon('comment', vscode.l10n.t('Why'))),
    wordsOf(rangeAt(place.line), hunkTitle(reviewed, place)),
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
