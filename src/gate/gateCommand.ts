import { addPass, minimumHeldOutTasks, neverVaries, startCertification } from './certification.js';
import { describeTallies } from './figures.js';
import { gridFor, toGrid, type ScoreGrid } from './scores.js';
import { parseScoreTable, type ScoreTable } from './scoreTable.js';
import { copiesWarning } from './sentences.js';
import { addToTally, emptyTally, type PairResult } from './tally.js';
import type { GateFigures, Verdict } from './verdict.js';
import { certificationVerdict, tooFewTasks } from './verdicts.js';
import { count, percent, points } from './wording.js';

/** A verdict on anyone's paired scores, flat, with every figure; null where there is none. */
export interface GateReport {
  readonly kind: Verdict['kind'];
  readonly reason: string;
  /** Only for `inconclusive`: why it could not end, and what would settle it. */
  readonly cause: string | null;
  readonly cure: string | null;
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  readonly interval: readonly [number, number] | null;
  readonly p: number | null;
  readonly pTask: number | null;
  readonly alpha: number | null;
  readonly n: number;
  readonly passes: number;
  readonly invalid: number;
  /** Rows, counted from 1. */
  readonly fixed: readonly string[];
  readonly regressed: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Decides paired scores as a certification would have: column by column, and not a column further than its decision.
 * Throws a UserError on anything that is not a table of scores.
 */
export function decideScores(input: unknown): GateReport {
  const table = parseScoreTable(input);
  const n = table.before.length;
  const taskIds = table.before.map((_, task) => String(task + 1));
  const grid = gridOf(table);
  const metric = grid === 1 ? 'hard' : 'soft';
  if (n < minimumHeldOutTasks) return reportOf(tooFewTasks(n), describeAll(table, grid), []);

  let certification = startCertification({ n, grid });
  for (const pass of columnsOf(table, grid)) {
    if (certification.decision.kind !== 'continue') break;
    certification = addPass(certification, pass);
  }
  const verdict = certificationVerdict({ certification, metric, taskIds }, { endedBy: 'end-of-scores' });
  const warnings = neverVaries(certification) ? [copiesWarning(certification.test.passes)] : [];
  return reportOf(verdict, figuresOf(verdict) ?? describeAll(table, grid), warnings);
}

/** The report for people: the sentence, then the numbers beneath it. */
export function printGateReport(report: GateReport): string {
  const interval = report.interval?.map(points).join(' to ') ?? 'none';
  const lines = [
    `${report.kind}: ${report.reason}`,
    ...(report.cure === null ? [] : [`What would settle it: ${report.cure}`]),
    `before ${percent(report.before)}, after ${percent(report.after)}, difference ${points(report.difference)} (95 % interval ${interval})`,
    `p ${probability(report.p)}, across tasks ${probability(report.pTask)}, alpha ${report.alpha ?? 'none'}`,
    `${count(report.n, 'task')}, ${count(report.passes, 'pass', 'passes')}, ${count(report.invalid, 'pair')} left out`,
    `fixed: ${report.fixed.join(', ') || 'none'}; regressed: ${report.regressed.join(', ') || 'none'}`,
    ...report.warnings.map((warning) => `Warning: ${warning}`),
  ];
  return `${lines.join('\n')}\n`;
}

type Described = Omit<GateFigures, 'rule' | 'metric'>;

/** Too few tasks to test are still described, over every column. */
function describeAll(table: ScoreTable, grid: ScoreGrid): Described {
  const columns = columnsOf(table, grid);
  const tallies = table.before.map((_, task) =>
    columns.reduce((tally, column) => {
      const pair = column[task];
      return pair === undefined ? tally : addToTally(tally, pair, grid);
    }, emptyTally),
  );
  const pairs = tallies.reduce((sum, tally) => sum + tally.pairs, 0);
  return {
    ...describeTallies(
      tallies,
      grid,
      table.before.map((_, task) => String(task + 1)),
    ),
    p: undefined,
    pTask: undefined,
    alpha: undefined,
    passes: columns.length,
    invalid: tallies.length * columns.length - pairs,
  };
}

function figuresOf(verdict: Verdict): Described | undefined {
  return verdict.kind === 'unmeasured' ? undefined : verdict.figures;
}

function reportOf(verdict: Verdict, figures: Described, warnings: readonly string[]): GateReport {
  const inconclusive = verdict.kind === 'inconclusive' ? verdict : undefined;
  return {
    kind: verdict.kind,
    reason: verdict.reason,
    cause: inconclusive?.cause ?? null,
    cure: inconclusive?.cure ?? null,
    before: figures.before,
    after: figures.after,
    difference: figures.difference,
    interval: figures.interval ?? null,
    p: figures.p ?? null,
    pTask: figures.pTask ?? null,
    alpha: figures.alpha ?? null,
    n: figures.n,
    passes: figures.passes,
    invalid: figures.invalid,
    fixed: figures.fixed,
    regressed: figures.regressed,
    warnings,
  };
}

function gridOf(table: ScoreTable): ScoreGrid {
  const cells = [...table.before, ...table.after].flat();
  const passOrFail = cells.every((cell) => cell === null || cell === 0 || cell === 1);
  return gridFor(passOrFail ? 'hard' : 'soft', cells.length / 2);
}

function columnsOf(table: ScoreTable, grid: ScoreGrid): readonly (readonly PairResult[])[] {
  const passes = table.before[0]?.length ?? 0;
  return Array.from({ length: passes }, (_, pass) =>
    table.before.map((row, task) => ({
      task,
      before: toGrid(row[pass] ?? undefined, grid),
      after: toGrid(table.after[task]?.[pass] ?? undefined, grid),
    })),
  );
}

function probability(value: number | null): string {
  if (value === null) return 'none';
  return value < 0.0001 ? 'below 0.0001' : value.toFixed(4);
}
