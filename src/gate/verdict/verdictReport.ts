import { sealedWarning } from './sentences.js';
import type { GateFigures, GateMetric, GateRule, Verdict } from './verdict.js';
import { count, percent, points } from './wording.js';

/** A verdict as scripts read it: flat, the same fields everywhere, null where there is no figure. */
export interface VerdictReport {
  readonly kind: Verdict['kind'];
  readonly reason: string;
  /** Only for `inconclusive` and `unmeasured`: why it could not end, or was never begun. */
  readonly cause: string | null;
  /** Only for `inconclusive`: what would settle it. */
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

/** Tree, report, terminal and JSON all show a verdict through this, so that they cannot say different things. */
export function verdictReport(verdict: Verdict, sealed?: SealedScores): VerdictReport {
  const figures = figuresOf(verdict);
  return {
    kind: verdict.kind,
    reason: verdict.reason,
    cause: 'cause' in verdict ? verdict.cause : null,
    cure: verdict.kind === 'inconclusive' ? verdict.cure : null,
    ...flat(figures),
    warnings: warningsOf(verdict, sealed),
  };
}

/** All that should make a reader doubt a verdict: its own warnings, and a sealed part that fell while it rose. */
export function warningsOf(verdict: Verdict, sealed?: SealedScores): readonly string[] {
  const figures = figuresOf(verdict);
  const fell = figures === undefined || sealed === undefined ? undefined : sealedWarning(figures.difference, sealed);
  return [...(figures?.warnings ?? []), ...(fell === undefined ? [] : [fell])];
}

/** The numbers beneath the sentence, a line a matter; none where nothing was measured. */
export function figureLines(report: VerdictReport): readonly string[] {
  const { before, after, difference, interval, n, passes, invalid } = report;
  if (n === null || passes === null || invalid === null) return [];
  const between = interval === null ? 'none' : interval.map(points).join(' to ');
  return [
    `before ${percent(before ?? 0)}, after ${percent(after ?? 0)}, difference ${points(difference ?? 0)} (95 % interval ${between})`,
    `p ${probability(report.p)}, across tasks ${probability(report.pTask)}, alpha ${report.alpha ?? 'none'}`,
    `${count(n, 'task')}, ${count(passes, 'pass', 'passes')}, ${count(invalid, 'pair')} left out`,
    `fixed: ${names(report.fixed)}; regressed: ${names(report.regressed)}`,
  ];
}

function names(ids: readonly string[]): string {
  return ids.length === 0 ? 'none' : ids.join(', ');
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
  passes: null,
  invalid: null,
  fixed: [],
  regressed: [],
};

function flat(figures: GateFigures | undefined): Flat {
  if (figures === undefined) return noFigures;
  const { interval = null, p = null, pTask = null, alpha = null, warnings: _warnings, ...rest } = figures;
  return { ...noFigures, ...rest, interval, p, pTask, alpha };
}

function probability(value: number | null): string {
  if (value === null) return 'none';
  return value < 0.0001 ? 'below 0.0001' : value.toFixed(4);
}
