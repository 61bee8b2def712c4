import type { Verdict } from '../gate/verdict/verdict.js';
import type { Proposal, ProposedEdit } from '../ports/proposal.js';
import { count, usdText } from './amounts.js';
import { codeWarning, proposedBy, rejectedPart, type DecidedEdits } from './decidedEdits.js';
import { shownLine, withIcon, type ShownText } from './shownText.js';
import { shortVerdict } from './shortVerdict.js';
import { t } from './translate.js';
import { shortWorth } from './worthText.js';
import { usdFigure } from '../usdFigure.js';

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

const longestVerdict = 110;

/**
 * The words of a change's row, after its buttons: `1 of 2 · E1 · +25 pts on training tasks`. In a window of 1000 pixels some
 * 45 characters of them are seen: warnings come before figures, and the length stands in the thread, where the reason is.
 */
export function hunkTitle(hunk: SaidHunk, place: { readonly number: number; readonly of: number }): ShownText {
  const [what = '', ...more] = saidOf(hunk.origin);
  const parts = [t('{0} of {1}', place.number, place.of), what, ...warningsOf(hunk), ...more];
  return withIcon(iconOf(hunk), shownLine(parts.join(' · ')));
}

function saidOf(origin: SaidHunk['origin']): readonly string[] {
  switch (origin.kind) {
    case 'proposed':
      if (origin.edited) return [named(origin.edits), t('edited by you'), t('not measured as edited')];
      return [named(origin.edits), shortWorth(origin.edits, t), ...proposedBy(origin.edits, t)];
    case 'yours':
      return [t('Written by you'), t('not measured')];
    case 'file':
      return [t('You changed this in the file; the proposal does not have it')];
    case 'unexplained':
      return [t('No edit of the proposal explains this change')];
  }
}

function named(edits: readonly ProposedEdit[]): string {
  const ids = edits.map(({ id }) => id).join(', ');
  return edits.length < 2 ? ids : t('{0} only together', ids);
}

function warningsOf({ origin, overwrites, hidden }: SaidHunk): readonly string[] {
  if (origin.kind === 'file') return [];
  return [
    ...(origin.kind === 'proposed' && origin.saysMore ? [t('says more than its reason')] : []),
    ...(origin.kind === 'proposed' ? codeWarning(origin.edits, t) : []),
    ...(overwrites ? [t('you changed the file here')] : []),
    ...(hidden.length > 0 ? [t('holds hidden characters')] : []),
  ];
}

function iconOf({ origin, hidden }: SaidHunk): string {
  switch (origin.kind) {
    case 'proposed':
      return origin.saysMore || changesCode(origin) || hidden.length > 0 ? 'warning' : 'lightbulb';
    case 'yours':
    case 'file':
      return 'person';
    case 'unexplained':
      return 'question';
  }
}

function changesCode(origin: SaidHunk['origin']): boolean {
  return origin.kind === 'proposed' && origin.edits.some((edit) => edit.changesCode);
}

/** What the top row says first: what is known about the proposal, or about the part of it that was taken. */
export function verdictTitle(review: {
  readonly proposal: Pick<Proposal, 'verdict' | 'models'>;
  readonly status: SaidStatus;
  readonly rebased: boolean;
  /** What measuring the proposal again gave, on the text that it stands on now. */
  readonly remeasured?: SaidMeasurement | undefined;
  /** What was decided of the proposal that the verdict is about. */
  readonly edits?: Pick<DecidedEdits, 'all' | 'rejected'> | undefined;
}): ShownText {
  const { proposal, status, rebased, remeasured, edits } = review;
  switch (status.kind) {
    case 'unmeasured':
      return withIcon('warning', takenTitle(status));
    case 'measured':
      return verdictWords(status.verdict, status.simulated === true, { rejected: t('in the file') });
    case 'untouched':
    case 'whole':
      if (remeasured !== undefined) return verdictWords(remeasured.verdict, remeasured.simulated === true);
      if (rebased) return withIcon('warning', t('Not measured on this text: the file changed since the run'));
      return wholeTitle(proposal, status.kind === 'whole' ? undefined : edits);
  }
}

/** The verdict of a run is about all of its edits together, and says so once some of them are rejected. */
function wholeTitle(
  { verdict, models }: Pick<Proposal, 'verdict' | 'models'>,
  edits: Pick<DecidedEdits, 'all' | 'rejected'> | undefined,
): ShownText {
  const about = 'figures' in verdict && edits !== undefined ? rejectedPart(edits) : undefined;
  return verdictWords(verdict, models.simulated, { about });
}

/** `Review finished: 1 accepted, 4 rejected`. Where nothing was taken, the skill is what it was. */
export function finishedTitle(status: SaidStatus): ShownText {
  switch (status.kind) {
    case 'untouched':
      return withIcon('circle-slash', t('Review finished: all rejected · skill unchanged'));
    case 'whole':
      return withIcon('pass-filled', t('Review finished: all accepted'));
    case 'measured':
      return withIcon('pass-filled', t('Review finished'));
    case 'unmeasured': {
      const { taken, of } = status;
      const words = t('Review finished: {0} accepted, {1} rejected', taken, of - taken);
      return withIcon('pass-filled', of > taken ? words : t('Review finished'));
    }
  }
}

/** Nothing is left here, and something in another file of the proposal: in `file`, where that is known. */
export function decidedHereTitle(open: number, file: string | undefined): ShownText {
  return withIcon('pass', shownLine(leftWords(open, file)));
}

function leftWords(open: number, file: string | undefined): string {
  if (open > 1) return t('Decided in this file: {0} edits are left in others', open);
  return file === undefined
    ? t('Decided in this file: 1 edit is left in another one')
    : t('Decided in this file: 1 edit is left in {0}', file);
}

/** Leads from the last change of one file to the first one of another. */
export function nextInTitle(file: string): ShownText {
  return withIcon('arrow-right', shownLine(t('Next in {0}', file)));
}

/** `Not measured: 2 of 3 edits are in the file`. */
export function takenTitle({ cause, taken, of }: Extract<SaidStatus, { readonly kind: 'unmeasured' }>): string {
  if (of === 0) return t('Not measured: this text was adopted without a measurement of its own');
  if (cause === 'edited-by-hand') return t('Not measured: the text was changed after it was measured');
  return taken === 1
    ? t('Not measured: {0} of {1} is in the file', taken, count(of, 'edit', t))
    : t('Not measured: {0} of {1} are in the file', taken, count(of, 'edit', t));
}

/** What measuring may cost, from the fewest passes to the most: `14 to 112 calls, 0.03 to 0.27 USD`. */
export function priceText({ calls, usd }: PriceRange): string {
  const most = count(calls.high, 'call', t);
  const asked = calls.low === calls.high ? most : t('{0} to {1}', calls.low, most);
  if (usd === undefined) return asked;
  if (usd.high === 0) return `${asked}, ${t('free')}`;
  const [low, high] = [usdFigure(usd.low), usdFigure(usd.high)];
  return `${asked}, ${low === high ? usdText(usd.high, t) : t('{0} to {1}', low, usdText(usd.high, t))}`;
}

interface PriceRange {
  readonly calls: LowAndHigh;
  readonly usd: LowAndHigh | undefined;
}

interface LowAndHigh {
  readonly low: number;
  readonly high: number;
}

function verdictWords(
  verdict: Verdict,
  simulated: boolean,
  { rejected, about }: { readonly rejected?: string; readonly about?: string | undefined } = {},
): ShownText {
  const label = simulated ? ` ${t('(simulated)')}` : '';
  const short = `${shownLine(shortVerdict(verdict), longestVerdict).replace(/[.。]$/u, '')}${label}`;
  const words = about === undefined ? short : `${short} · ${about}`;
  switch (verdict.kind) {
    case 'accepted':
      return withIcon('pass', words);
    case 'rejected':
      // First, for the end of a long lens is cut: nothing here can be accepted.
      return withIcon(
        'circle-slash',
        rejected === undefined ? `${t('Only shown')} · ${words}` : `${words} · ${rejected}`,
      );
    case 'inconclusive':
    case 'unmeasured':
      return withIcon('question', words);
  }
}
