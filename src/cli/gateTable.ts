import type { SideResult, TaskComparison, Verdict } from '../gate/verdict/verdict.js';
import { table } from './table.js';
import type { Paint } from './terminal.js';

/** The held-out tasks before and after, regressions first, then what was fixed. */
export function gateTable(comparisons: readonly TaskComparison[], paint: Paint): string {
  const rows = [...comparisons]
    .sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1))
    .map((row) => [symbol(row, paint), row.id, sideText(row.before), '→', sideText(row.after), wordFor(row, paint)]);
  return table([
    ['', paint('bold', 'held-out task'), paint('bold', 'before'), '', paint('bold', 'after'), ''],
    ...rows,
  ]);
}

/** The verdict in one word, coloured. */
export function verdictWord(verdict: Verdict, paint: Paint): string {
  switch (verdict.kind) {
    case 'accepted':
      return paint('green', 'accepted');
    case 'rejected':
      return paint('red', 'rejected');
    case 'inconclusive':
      return paint('yellow', 'inconclusive');
    case 'unmeasured':
      return paint('yellow', 'not measured');
  }
}

function rank(row: TaskComparison): number {
  const change = changeOf(row);
  return change === undefined ? 3 : change < 0 ? 0 : change > 0 ? 1 : 2;
}

function changeOf({ before, after }: TaskComparison): number | undefined {
  return before.score === undefined || after.score === undefined ? undefined : after.score - before.score;
}

function symbol(row: TaskComparison, paint: Paint): string {
  const change = changeOf(row);
  if (change === undefined) return paint('dim', '·');
  if (change < 0) return paint('red', '▼');
  return change > 0 ? paint('green', '▲') : paint('dim', '=');
}

function wordFor(row: TaskComparison, paint: Paint): string {
  const change = changeOf(row);
  if (change === undefined)
    return paint(
      'dim',
      row.after.invalid > 0 || row.before.invalid > 0 ? 'no valid result' : 'not needed for the decision',
    );
  if (change < 0) return paint('red', 'worse');
  if (change > 0) return paint('green', row.after.passes === row.after.valid ? 'fixed' : 'better');
  return paint('dim', row.after.passes === row.after.valid ? 'passes' : 'still fails');
}

function sideText(side: SideResult): string {
  if (side.valid === 0) return '–';
  return `${side.passes} of ${side.valid}`;
}
