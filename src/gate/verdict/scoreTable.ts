import { UserError } from '../../errors.js';

/** Paired scores from anywhere: a row a task, a column a pass, null an invalid result. */
export interface ScoreTable {
  readonly before: ScoreRows;
  readonly after: ScoreRows;
}

export type ScoreRows = readonly (readonly (number | null)[])[];

/** As many tasks as one skill may have. */
export const mostScoredTasks = 10_000;
const mostPasses = 1_000;

/** The table, checked to the last cell; throws a UserError that names the first thing wrong with it. */
export function parseScoreTable(input: unknown): ScoreTable {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw malformed('The scores are not a JSON object.');
  }
  const before = parseRows(input, 'before');
  const after = parseRows(input, 'after');
  if (before.length !== after.length) {
    throw malformed(`"before" has ${before.length} tasks and "after" has ${after.length}.`);
  }
  const passes = before[0]?.length ?? 0;
  if (passes === 0) throw malformed('The rows are empty: there is not one pass.');
  requirePasses(before, 'before', passes);
  requirePasses(after, 'after', passes);
  return { before, after };
}

function requirePasses(rows: ScoreRows, side: 'before' | 'after', passes: number): void {
  for (const [task, row] of rows.entries()) {
    if (row.length === passes) continue;
    throw malformed(
      `Row ${task + 1} of "${side}" has ${row.length} ${row.length === 1 ? 'pass' : 'passes'}, the first has ${passes}.`,
    );
  }
}

function parseRows(input: object, side: 'before' | 'after'): ScoreRows {
  const rows: unknown = Object.getOwnPropertyDescriptor(input, side)?.value;
  if (!Array.isArray(rows)) throw malformed(`"${side}" is not an array of rows.`);
  if (rows.length === 0) throw malformed(`"${side}" is empty: there is not one task.`);
  if (rows.length > mostScoredTasks) throw tooMany(`"${side}" has ${rows.length} tasks`);
  return rows.map((row: unknown, task) => {
    if (!Array.isArray(row)) throw malformed(`Row ${task + 1} of "${side}" is not an array.`);
    if (row.length > mostPasses) throw tooMany(`Row ${task + 1} of "${side}" has ${row.length} passes`);
    return row.map((cell: unknown, pass) => parseCell(cell, `Row ${task + 1}, pass ${pass + 1} of "${side}"`));
  });
}

function parseCell(cell: unknown, where: string): number | null {
  if (cell === null) return null;
  if (typeof cell !== 'number' || !Number.isFinite(cell)) throw malformed(`${where} is not a number or null.`);
  // Clamping would turn a scale of 0 to 100 into "everything passes": refuse it instead.
  if (cell < 0 || cell > 1) throw malformed(`${where} is ${cell}, and scores lie between 0 and 1.`);
  return cell;
}

function tooMany(what: string): UserError {
  const said = `${what}: at most ${mostScoredTasks} tasks with ${mostPasses} passes each are decided.`;
  return new UserError('scores-malformed', said, 'Give fewer: a sample will do.');
}

function malformed(what: string): UserError {
  const cure =
    'Give { "before": [[...]], "after": [[...]] }: a row a task, a column a pass, scores from 0 to 1, null for an invalid result.';
  return new UserError('scores-malformed', what, cure);
}
