import { count, percent } from '../../gate/verdict/wording.js';
import type { Verdict } from '../../gate/verdict/verdict.js';
import type { Proposal } from '../../ports/proposal.js';
import type { MeasurePrice } from '../../app/useCases.js';
import { onOneLine } from './modelText.js';
import type { ReviewedHunk } from '../../review/reviewHunks.js';
import type { MeasuredText, MeasurementStatus } from '../../review/measurementStatus.js';
import { tokensText, worthOfAll } from './worthText.js';

const longestSummary = 54; // a row is cut in a narrow column, and the buttons come after it
const longestVerdict = 110;

/** An icon does not touch its word: the editor swallows a plain space after it. */
export function withIcon(icon: string, text: string): string {
  return `$(${icon})\u00a0${text}`;
}

/** The first words of a change's row: its number, and what it is. */
export function hunkTitle(
  { origin, overwrites }: ReviewedHunk,
  place: { readonly number: number; readonly of: number },
) {
  const number = `${place.number} of ${place.of}`;
  const under = overwrites ? ' · you changed the file here' : '';
  switch (origin.kind) {
    case 'proposed': {
      const summary = onOneLine(
        origin.edits.map(({ edit }) => firstSentence(edit.rationale)).join(' + '),
        longestSummary,
      );
      const notes = `${origin.edited ? ' · edited by you' : ''}${origin.saysMore ? ' · says more than its reason' : ''}`;
      return withIcon(origin.saysMore ? 'warning' : 'lightbulb', `${number}: ${summary}${notes}${under}`);
    }
    case 'yours':
      return withIcon('person', `${number}: Written by you${under}`);
    case 'file':
      return withIcon('person', `${number}: You changed this in the file; the proposal does not have it`);
    case 'unexplained':
      return withIcon('question', `${number}: No edit of the proposal explains this change${under}`);
  }
}

/** The last words of a change's row: what it is worth, and what it costs in length. */
export function hunkEvidence({ origin, tokens }: ReviewedHunk): string {
  switch (origin.kind) {
    case 'proposed':
      return `${origin.edited ? 'not measured as edited' : worthOfAll(origin.edits)} · ${tokensText(tokens)}`;
    case 'yours':
    case 'unexplained':
      return `not measured · ${tokensText(tokens)}`;
    case 'file':
      return tokensText(tokens);
  }
}

/** What the top row says first: what is known about the proposal, or about the part of it that was taken. */
export function verdictTitle(review: {
  readonly proposal: Pick<Proposal, 'verdict' | 'models'>;
  readonly status: MeasurementStatus;
  readonly rebased: boolean;
  /** What measuring the proposal again gave, on the text that it stands on now. */
  readonly remeasured?: Omit<MeasuredText, 'hash'> | undefined;
}): string {
  const { proposal, status, rebased, remeasured } = review;
  switch (status.kind) {
    case 'unmeasured':
      return withIcon('warning', takenTitle(status));
    case 'measured':
      return verdictWords(status.verdict, status.simulated === true, 'in the file');
    case 'untouched':
    case 'whole':
      if (remeasured !== undefined) return verdictWords(remeasured.verdict, remeasured.simulated === true);
      if (rebased) return withIcon('warning', 'Not measured on this text: the file changed since the run');
      return verdictWords(proposal.verdict, proposal.models.simulated);
  }
}

/** `Not measured: 2 of 3 edits are in the file`. */
export function takenTitle({ cause, taken, of }: Extract<MeasurementStatus, { readonly kind: 'unmeasured' }>): string {
  if (of === 0) return 'Not measured: this text was adopted without a measurement of its own';
  return cause === 'partly-accepted'
    ? `Not measured: ${taken} of ${count(of, 'edit')} ${taken === 1 ? 'is' : 'are'} in the file`
    : 'Not measured: the text was changed after it was measured';
}

/** What measuring may cost, from the fewest passes to the most: `14 to 112 calls, 0.03 to 0.27 USD`. */
export function priceText(price: MeasurePrice | undefined): string {
  if (price === undefined) return '';
  const { calls, usd } = price;
  const words = calls.low === calls.high ? count(calls.high, 'call') : `${calls.low} to ${count(calls.high, 'call')}`;
  if (usd === undefined) return ` (${words})`;
  const [low, high] = [usd.low.toFixed(2), usd.high.toFixed(2)];
  return ` (${words}, ${low === high ? high : `${low} to ${high}`} USD)`;
}

function verdictWords(verdict: Verdict, simulated: boolean, rejected = 'only shown'): string {
  const label = simulated ? ' (simulated)' : '';
  switch (verdict.kind) {
    case 'accepted': {
      const { before, after, n, rule } = verdict.figures;
      const claim = `${openingWords(verdict.reason)}${rule === 'strict' ? ' by the strict rule' : ''}`;
      const figures = `${percent(before)} to ${percent(after)} on ${count(n, 'held-out task')}`;
      return withIcon('pass', `${claim}: ${figures}${label}`);
    }
    case 'rejected':
      return withIcon('circle-slash', `${onOneLine(verdict.reason, longestVerdict)}${label} · ${rejected}`);
    case 'inconclusive':
      return withIcon('question', `${onOneLine(verdict.reason, longestVerdict)}${label}`);
    case 'unmeasured':
      return withIcon('question', `${onOneLine(verdict.reason, longestVerdict)}${label}`);
  }
}

/** `Better`, `As good as before and shorter`: what a verdict claims, before its figures. */
function openingWords(reason: string): string {
  return onOneLine(/^[^:(]+/.exec(reason)?.[0] ?? reason, longestSummary);
}

function firstSentence(text: string): string {
  const sentence = /^.*?(?:[.!?](?=\s|$)|[。！？])/s.exec(text.trim())?.[0] ?? text.trim();
  return sentence.replace(/[.。]$/, '');
}
