import { addPass, minimumHeldOutTasks, startCertification } from '../../gate/statistics/certification.js';
import { describeTallies } from '../../gate/verdict/figures.js';
import { gridFor, toGrid, type ScoreGrid } from '../../gate/statistics/scores.js';
import { parseScoreTable, type ScoreTable } from '../../gate/verdict/scoreTable.js';
import { addToTally, emptyTally, type PairResult } from '../../gate/statistics/tally.js';
import type { GateFigures, GateMetric, Verdict } from '../../gate/verdict/verdict.js';
import { english } from '../../wording/translate.js';
import { figureLines, headWord, verdictReport, type VerdictReport } from '../../wording/verdictReport.js';
import { certificationVerdict, tooFewTasks } from '../../wording/verdicts.js';

/**
 * Decides paired scores as a certification would have: column by column, and not a column further than its decision.
 * `fixed` and `regressed` are rows, counted from 1. Throws a UserError on anything that is not a table of scores.
 */
export function decideScores(input: unknown): VerdictReport {
  const table = parseScoreTable(input);
  const n = table.before.length;
  const grid = gridOf(table);
  const metric = grid === 1 ? 'hard' : 'soft';
  if (n < minimumHeldOutTasks) return verdictReport(withFigures(tooFewTasks(n), describeAll(table, grid, metric)));

  let certification = startCertification({ n, grid });
  for (const pass of columnsOf(table, grid)) {
    if (certification.decision.kind !== 'continue') break;
    certification = addPass(certification, pass);
  }
  const taskIds = rowNames(table);
  return verdictReport(certificationVerdict({ certification, metric, taskIds }, { endedBy: 'end-of-scores' }));
}

/** The report for people: the sentence, then the numbers beneath it. */
export function printGateReport(report: VerdictReport): string {
  const lines = [
    `${wordOf(report)}: ${report.reason}`,
    ...(report.cure === null ? [] : [`What would settle it: ${report.cure}`]),
    ...figureLines(report, english),
    ...report.warnings.map((warning) => `Warning: ${warning}`),
  ];
  return `${lines.join('\n')}\n`;
}

function wordOf({ kind, reason, difference, interval }: VerdictReport): string {
  const figures = difference === null ? undefined : { difference, interval: interval ?? undefined };
  return headWord({ kind, reason, figures }, english);
}

/** Too few tasks to test are still described, over every column. */
function describeAll(table: ScoreTable, grid: ScoreGrid, metric: GateMetric): GateFigures {
  const columns = [...columnsOf(table, grid)];
  const tallies = table.before.map((_, task) =>
    columns.reduce((tally, column) => {
      const pair = column[task];
      return pair === undefined ? tally : addToTally(tally, pair, grid);
    }, emptyTally),
  );
  const pairs = tallies.reduce((sum, tally) => sum + tally.pairs, 0);
  return {
    rule: 'confident',
    metric,
    ...describeTallies(tallies, grid, rowNames(table)),
    p: undefined,
    pTask: undefined,
    alpha: undefined,
    passes: columns.length,
    invalid: tallies.length * columns.length - pairs,
    warnings: [],
  };
}

function withFigures(verdict: Verdict, figures: GateFigures): Verdict {
  return verdict.kind === 'inconclusive' ? { ...verdict, figures } : verdict;
}

function rowNames(table: ScoreTable): readonly string[] {
  return table.before.map((_, task) => String(task + 1));
}

function gridOf(table: ScoreTable): ScoreGrid {
  const rows = [...table.before, ...table.after];
  const passOrFail = rows.every((row) => row.every((cell) => cell === null || cell === 0 || cell === 1));
  return gridFor(passOrFail ? 'hard' : 'soft', rows.reduce((sum, row) => sum + row.length, 0) / 2);
}

/** One after the other: most tables are decided long before their last one. */
function* columnsOf(table: ScoreTable, grid: ScoreGrid): Generator<readonly PairResult[]> {
  const passes = table.before[0]?.length ?? 0;
  for (let pass = 0; pass < passes; pass++)
    yield table.before.map((row, task) => ({
      task,
      before: toGrid(row[pass] ?? undefined, grid),
      after: toGrid(table.after[task]?.[pass] ?? undefined, grid),
    }));
}
