import { tasksToShow } from '../gate/statistics/certification.js';
import { copiesWarning, gateSentenceIn, refusalIn, sealedWarning } from './verdictSentences.js';
import type { GateFigures, GateMetric, GateRule, Verdict } from '../gate/verdict/verdict.js';
import { count, percent, points } from './amounts.js';
import { verdictWord } from './gateWords.js';
import { rowHead } from './shownText.js';
import { english, retold, type Say } from './translate.js';

/** A verdict as scripts read it: flat, the same fields everywhere, null where there is no figure. */
export interface VerdictReport {
  readonly kind: Verdict['kind'];
  readonly reason: string;
  /** Only for `inconclusive` and `unmeasured`: why it could not end, or was never begun. */
  readonly cause: string | null;
  /** What would settle it: for `inconclusive`, and for a clear gain that was not shown. */
  readonly cure: string | null;
  readonly rule: GateRule | null;
  readonly metric: GateMetric | null;
  readonly before: number | null;
  readonly after: number | null;
  readonly difference: number | null;
  readonly interval: readonly [number, number] | null;
  readonly p: number | null;
  readonly pTask: number | null;
  readonly alpha: number | null;
  readonly n: number | null;
  /** How many of `n` were not attempted: the strict rule was decided without them. */
  readonly notNeeded: number | null;
  readonly passes: number | null;
  readonly invalid: number | null;
  readonly fixed: readonly string[];
  readonly regressed: readonly string[];
  readonly warnings: readonly string[];
}

/** The sealed tasks of a proposal, scored once before and once after. */
export interface SealedScores {
  readonly before: number;
  readonly after: number;
  readonly n: number;
}

/** What a verdict was measured on. */
interface MeasuredOn {
  readonly simulated: boolean;
}

/** Tree, report, terminal and JSON all show a verdict through this, so that they cannot say different things. */
export function verdictReport(verdict: Verdict, sealed?: SealedScores, models?: MeasuredOn): VerdictReport {
  const figures = figuresOf(verdict);
  return {
    kind: verdict.kind,
    reason: verdict.reason,
    cause: 'cause' in verdict ? verdict.cause : null,
    cure: settlesIt(verdict) ?? null,
    ...flat(figures),
    warnings: warningsOf(verdict, sealed, models),
  };
}

/** What would settle a verdict, in English as it is stored; undefined where nothing is open. */
export function settlesIt(verdict: Verdict): string | undefined {
  if (verdict.kind === 'inconclusive') return verdict.cure;
  if (verdict.kind !== 'rejected' || !isClearlyUp(verdict.reason, verdict.figures)) return undefined;
  const { n, fixed, regressed } = verdict.figures;
  const again = english('with new held-out tasks the same edits may be tried again');
  const needed =
    refusalIn(verdict.reason) === 'tasks'
      ? tasksToShow({ n, better: fixed.length, worse: regressed.length })
      : undefined;
  if (needed === undefined) return english('More held-out tasks, confirmed or drafted: {0}.', again);
  return english(
    '{0} more (the same on {1} would be shown), confirmed or drafted: {2}.',
    count(needed - n, 'held-out task', english),
    needed,
    again,
  );
}

/** A verdict in a word: a clear gain that was not shown is no “no improvement”. */
export function headWord(verdict: HeadOfVerdict, say: Say): string {
  return headNamed(headOf(verdict), say);
}

/** The same by its name, for those who bring the words later. */
export type HeadName = Verdict['kind'] | 'not-shown';

export function headOf({ kind, reason = '', figures }: HeadOfVerdict): HeadName {
  return kind === 'rejected' && figures !== undefined && isClearlyUp(reason, figures) ? 'not-shown' : kind;
}

export function headNamed(name: HeadName, say: Say): string {
  return name === 'not-shown' ? say('not shown') : verdictWord(name, say);
}

/** As much of a verdict as its word needs. */
export type HeadOfVerdict = Pick<Verdict, 'kind'> & {
  readonly reason?: string;
  readonly figures?: Pick<GateFigures, 'difference' | 'interval'> | undefined;
};

/** The same of a night, which keeps the scores of a verdict, and its sentence between what it did and its notes. */
export function nightHead({ verdict, before, after, interval, reason }: HeadOfNight, say: Say): string {
  if (verdict === undefined) return '';
  const figures = before === undefined || after === undefined ? undefined : { difference: after - before, interval };
  return headWord({ kind: verdict, reason: gateSentenceIn(reason), figures }, say);
}

interface HeadOfNight {
  readonly verdict: Verdict['kind'] | undefined;
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly interval?: GateFigures['interval'];
  readonly reason: string;
}

/** A gain that the attempts show, and the tasks do not: “no improvement” would be wrong. */
export function isClearlyUp(
  reason: string,
  { difference, interval }: Pick<GateFigures, 'difference' | 'interval'>,
): boolean {
  if (difference <= 0 || !reason.startsWith('Not shown to be better')) return false;
  const refusal = refusalIn(reason);
  return refusal === 'tasks' || (refusal === 'noise' && interval !== undefined && interval[0] > 0);
}

/**
 * All that should make a reader doubt a verdict: its own warnings, and a sealed part that fell while it rose. That repeats
 * never differ is none on the simulated model, whose answers are the same by construction.
 */
export function warningsOf(verdict: Verdict, sealed?: SealedScores, models?: MeasuredOn): readonly string[] {
  const figures = figuresOf(verdict);
  const fell = figures === undefined || sealed === undefined ? undefined : sealedWarning(figures.difference, sealed);
  const own = figures?.warnings ?? [];
  const same = models?.simulated === true && figures !== undefined ? copiesWarning(figures.passes) : undefined;
  return [...own.filter((warning) => warning !== same), ...(fell === undefined ? [] : [fell])];
}

/** What a warning is about, for a row that has little room. */
export function warningHead(warning: string, say: Say): string {
  if (warning.startsWith('The held-out tasks rose')) return say('The sealed tasks fell');
  if (warning.startsWith('No task ever gave two different scores')) return say('Repeats never differ');
  return rowHead(retold(warning));
}

/** The numbers beneath the sentence, a line a matter; none where nothing was measured. */
export function figureLines(report: VerdictReport, say: Say): readonly string[] {
  const { before, after, difference, interval, n, passes, invalid } = report;
  if (n === null || passes === null || invalid === null) return [];
  const tasks = numberedTasks(report, say);
  const between = interval === null ? say('none') : say('{0} to {1}', ...interval.map((bound) => points(bound, say)));
  return [
    say(
      'before {0}, after {1}, difference {2} (95 % interval {3})',
      percent(before ?? 0),
      percent(after ?? 0),
      points(difference ?? 0, say),
      between,
    ),
    say(
      'p {0}, across tasks {1}, alpha {2}',
      probability(report.p, say),
      probability(report.pTask, say),
      report.alpha ?? say('none'),
    ),
    invalid === 0
      ? say('{0}, {1}', tasks, count(passes, 'pass', say))
      : say('{0}, {1}, {2} left out', tasks, count(passes, 'pass', say), count(invalid, 'pair', say)),
    say('fixed: {0}; regressed: {1}', names(report.fixed, say), names(report.regressed, say)),
    ...metricLines(report, say),
  ];
}

function metricLines({ metric }: VerdictReport, say: Say): readonly string[] {
  if (metric !== 'mixed') return [];
  return [say('Scores count partial credit (gate.metric mixed): a pass, and the share of the checks that hold.')];
}

/** `12 tasks`, or `2 of 5 tasks` where the rest was not needed. */
function numberedTasks({ n, notNeeded }: VerdictReport, say: Say): string {
  if (notNeeded === null || notNeeded === 0) return count(n ?? 0, 'task', say);
  return say('{0} of {1} tasks', (n ?? 0) - notNeeded, n ?? 0);
}

/** The same sentences in the person's language; what scripts read stays English. */
export function retoldReport(report: VerdictReport): VerdictReport {
  const { reason, cure, warnings } = report;
  return {
    ...report,
    reason: retold(reason),
    cure: cure === null ? null : retold(cure),
    warnings: warnings.map(retold),
  };
}

function names(ids: readonly string[], say: Say): string {
  return ids.length === 0 ? say('none') : ids.join(', ');
}

function figuresOf(verdict: Verdict): GateFigures | undefined {
  return verdict.kind === 'unmeasured' ? undefined : verdict.figures;
}

type Flat = Omit<VerdictReport, 'kind' | 'reason' | 'cause' | 'cure' | 'warnings'>;

const noFigures: Flat = {
  rule: null,
  metric: null,
  before: null,
  after: null,
  difference: null,
  interval: null,
  p: null,
  pTask: null,
  alpha: null,
  n: null,
  notNeeded: null,
  passes: null,
  invalid: null,
  fixed: [],
  regressed: [],
};

function flat(figures: GateFigures | undefined): Flat {
  if (figures === undefined) return noFigures;
  const {
    interval = null,
    p = null,
    pTask = null,
    alpha = null,
    notNeeded = 0,
    unpaired: _unpaired,
    warnings: _warnings,
    ...rest
  } = figures;
  return { ...noFigures, ...rest, interval, p, pTask, alpha, notNeeded };
}

function probability(value: number | null, say: Say): string {
  if (value === null) return say('none');
  return value < 0.0001 ? say('below 0.0001') : value.toFixed(4);
}
