import type { Verdict } from '../gate/verdict/verdict.js';
import type { Proposal, ProposedEdit } from '../ports/proposal.js';
import { count, percent, tokensText, usdText } from './amounts.js';
import { shownLine, withIcon, type ShownText } from './shownText.js';
import { retold, t } from './translate.js';
import { worthOfAll } from './worthText.js';

/** What is said about a change that is still open. */
export interface SaidHunk {
  readonly origin:
    | {
        readonly kind: 'proposed';
        readonly edits: readonly ProposedEdit[];
        readonly edited: boolean;
        readonly saysMore: boolean;
      }
    | { readonly kind: 'yours' | 'file' | 'unexplained' };
  readonly overwrites: boolean;
  readonly tokens: number;
  /** Characters that nobody would see, as `U+200B`. */
  readonly hidden: readonly string[];
}

/** A text that was measured by itself. */
interface SaidMeasurement {
  readonly verdict: Verdict;
  readonly simulated?: boolean | undefined;
}

/** What is said about the text in the file. */
export type SaidStatus =
  | { readonly kind: 'untouched' | 'whole' }
  | {
      readonly kind: 'unmeasured';
      readonly cause: 'partly-accepted' | 'edited-by-hand';
      readonly taken: number;
      readonly of: number;
    }
  | ({ readonly kind: 'measured' } & SaidMeasurement);

const longestSummary = 54; // a row is cut in a narrow column, and the buttons come after it
const longestVerdict = 110;

/** The first words of a change's row: its number, and what it is. */
export function hunkTitle(
  { origin, overwrites, hidden }: SaidHunk,
  place: { readonly number: number; readonly of: number },
): ShownText {
  const under = `${overwrites ? ` · ${t('you changed the file here')}` : ''}${hidden.length > 0 ? ` · ${t('holds hidden characters')}` : ''}`;
  const titled = (icon: string, what: string): ShownText =>
    withIcon(icon, t('{0} of {1}: {2}', place.number, place.of, what));
  switch (origin.kind) {
    case 'proposed': {
      const changesCode = origin.edits.some((edit) => edit.changesCode);
      const reasons = origin.edits.map(({ edit }) => firstSentence(edit.rationale)).join(' + ');
      const notes = [
        ...(origin.edited ? [` · ${t('edited by you')}`] : []),
        ...(origin.saysMore ? [` · ${t('says more than its reason')}`] : []),
        ...(changesCode ? [` · ${t('changes what agents run')}`] : []),
      ].join('');
      const what = `${shownLine(reasons, longestSummary)}${notes}${under}`;
      const isDoubtful = origin.saysMore || changesCode || hidden.length > 0;
      return titled(isDoubtful ? 'warning' : 'lightbulb', what);
    }
    case 'yours':
      return titled('person', `${t('Written by you')}${under}`);
    case 'file':
      return titled('person', t('You changed this in the file; the proposal does not have it'));
    case 'unexplained':
      return titled('question', `${t('No edit of the proposal explains this change')}${under}`);
  }
}

/** The last words of a change's row: what it is worth, and what it costs in length. */
export function hunkEvidence({ origin, tokens }: SaidHunk): string {
  const length = tokensText(tokens, t);
  switch (origin.kind) {
    case 'proposed':
      return `${origin.edited ? t('not measured as edited') : worthOfAll(origin.edits, t)} · ${length}`;
    case 'yours':
    case 'unexplained':
      return `${t('not measured')} · ${length}`;
    case 'file':
      return length;
  }
}

/** What the top row says first: what is known about the proposal, or about the part of it that was taken. */
export function verdictTitle(review: {
  readonly proposal: Pick<Proposal, 'verdict' | 'models'>;
  readonly status: SaidStatus;
  readonly rebased: boolean;
  /** What measuring the proposal again gave, on the text that it stands on now. */
  readonly remeasured?: SaidMeasurement | undefined;
}): ShownText {
  const { proposal, status, rebased, remeasured } = review;
  switch (status.kind) {
    case 'unmeasured':
      return withIcon('warning', takenTitle(status));
    case 'measured':
      return verdictWords(status.verdict, status.simulated === true, t('in the file'));
    case 'untouched':
    case 'whole':
      if (remeasured !== undefined) return verdictWords(remeasured.verdict, remeasured.simulated === true);
      if (rebased) return withIcon('warning', t('Not measured on this text: the file changed since the run'));
      return verdictWords(proposal.verdict, proposal.models.simulated);
  }
}

/** `Not measured: 2 of 3 edits are in the file`. */
export function takenTitle({ cause, taken, of }: Extract<SaidStatus, { readonly kind: 'unmeasured' }>): string {
  if (of === 0) return t('Not measured: this text was adopted without a measurement of its own');
  if (cause === 'edited-by-hand') return t('Not measured: the text was changed after it was measured');
  return taken === 1
    ? t('Not measured: {0} of {1} is in the file', taken, count(of, 'edit', t))
    : t('Not measured: {0} of {1} are in the file', taken, count(of, 'edit', t));
}

/** What measuring may cost, from the fewest passes to the most: ` (14 to 112 calls, 0.03 to 0.27 USD)`. */
export function priceText(
  price: { readonly calls: LowAndHigh; readonly usd: LowAndHigh | undefined } | undefined,
): string {
  if (price === undefined) return '';
  const { calls, usd } = price;
  const most = count(calls.high, 'call', t);
  const asked = calls.low === calls.high ? most : t('{0} to {1}', calls.low, most);
  if (usd === undefined) return ` (${asked})`;
  const [low, high] = [usd.low.toFixed(2), usd.high.toFixed(2)];
  return ` (${asked}, ${low === high ? usdText(usd.high, t) : t('{0} to {1}', low, usdText(usd.high, t))})`;
}

interface LowAndHigh {
  readonly low: number;
  readonly high: number;
}

function verdictWords(verdict: Verdict, simulated: boolean, rejected = t('only shown')): ShownText {
  const label = simulated ? ` ${t('(simulated)')}` : '';
  const reason = (): string => shownLine(retold(verdict.reason), longestVerdict);
  switch (verdict.kind) {
    case 'accepted': {
      const { before, after, n } = verdict.figures;
      const facts = [claimWords(verdict), percent(before), percent(after), count(n, 'held-out task', t)];
      return withIcon('pass', `${t('{0}: {1} to {2} on {3}', ...facts)}${label}`);
    }
    case 'rejected':
      return withIcon('circle-slash', `${reason()}${label} · ${rejected}`);
    case 'inconclusive':
    case 'unmeasured':
      return withIcon('question', `${reason()}${label}`);
  }
}

/** What an accepted verdict claims, before its figures. The sentence alone tells a gain from “no worse and shorter”. */
function claimWords({ reason, figures }: Extract<Verdict, { readonly kind: 'accepted' }>): string {
  if (figures.rule === 'strict') return t('Higher by the strict rule');
  return reason.startsWith('As good as before') ? t('As good as before and shorter') : t('Better');
}

function firstSentence(text: string): string {
  const sentence = /^.*?(?:[.!?](?=\s|$)|[。！？])/s.exec(text.trim())?.[0] ?? text.trim();
  return sentence.replace(/[.。]$/, '');
}
