import { UserError } from '../../errors.js';
import { gridFor, toGrid, type ScoreGrid } from '../statistics/scores.js';
import type { PairResult } from '../statistics/tally.js';
import { parseScoreTable, type ScoreRows, type ScoreTable } from '../verdict/scoreTable.js';
import type { NextPass } from './acceptanceRules.js';
import type { Random } from './random.js';
import { attemptPass, clip } from './simulatedTasks.js';

/** What one text scored at each task, attempt by attempt; whole numbers on the grid, lost attempts left out. */
export interface RecordedOutcomes {
  readonly name: string;
  readonly grid: ScoreGrid;
  readonly scores: readonly (readonly number[])[];
  /** The comparisons that were really made: of two arms with the same text, or of a person's before and after. */
  readonly compared: readonly (() => NextPass)[];
}

/** Either form: recorded outcomes (arms of one text, task by task) or a table of scores, whose `after` may be missing. */
export function parseOutcomes(input: unknown): readonly RecordedOutcomes[] {
  if (valueOf(input, 'format') !== 'whetstone.recorded-outcomes') return [ofTable(input)];
  if (valueOf(input, 'version') !== 1) throw malformed('These recorded outcomes are of another version than 1.');
  const sets = valueOf(input, 'sets');
  if (!Array.isArray(sets) || sets.length === 0) throw malformed('"sets" is not an array with at least one set.');
  return sets.map((set: unknown, at) => ofSet(set, `Set ${at + 1}`));
}

/**
 * Passes as this text would make them, with the candidate better by `effect` (0.2: 20 points, cut off at full marks).
 * Pass or fail: each task passes at its recorded rate. Other scores: drawn anew from those recorded.
 */
export function passesOf({ scores, grid }: RecordedOutcomes, effect: number, random: Random): NextPass {
  if (grid === 1) {
    const tasks = scores.map((row) => {
      const before = row.reduce((sum, score) => sum + score, 0) / row.length;
      return { before, after: clip(before + effect) };
    });
    return () => attemptPass(random, tasks);
  }
  const drawn = (row: readonly number[]): number => row[Math.floor(random() * row.length)] ?? 0;
  return () =>
    scores.map((row, task) => ({
      task,
      before: drawn(row),
      after: Math.min(grid, drawn(row) + Math.round(effect * grid)),
    }));
}

/** How many tasks got full marks in every attempt, and how many nothing in any. */
export function settledTasks({ scores, grid }: RecordedOutcomes): { readonly passed: number; readonly failed: number } {
  return {
    passed: scores.filter((row) => row.every((score) => score === grid)).length,
    failed: scores.filter((row) => row.every((score) => score === 0)).length,
  };
}

/** What is compared in minutes: the exact test takes the square of the tasks, and finer scores more. */
const mostTasks = 2000;
const mostFineTasks = 500;
const mostAttempts = 1000;
const mostArms = 20;

function ofTable(input: unknown): RecordedOutcomes {
  const rows = valueOf(input, 'before');
  if (Array.isArray(rows)) boundSize(rows, '');
  const hasAfter = valueOf(input, 'after') !== undefined;
  const table = checked(hasAfter ? input : { before: valueOf(input, 'before'), after: valueOf(input, 'before') }, '');
  const grid = gridOf([...table.before, ...table.after]);
  const scores = onGrid(table.before, grid);
  boundFineness(scores.length, grid, '');
  const empty = scores.findIndex((row) => row.length === 0);
  if (empty >= 0) throw malformed(`Row ${empty + 1} of "before" has no valid result.`);
  return { name: 'your scores', grid, scores, compared: hasAfter ? [() => inOrder(table, grid)] : [] };
}

function ofSet(set: unknown, where: string): RecordedOutcomes {
  const name = valueOf(set, 'name');
  const arms = armsOf(set, where);
  const tasks = Object.keys(arms[0] ?? {});
  for (const arm of arms) boundSize(Object.values(arm), `${where}: `);
  const rows = arms.map((arm, at) => rowsOf(arm, tasks, `${where}, arm ${at + 1} of "sameText"`));
  const grid = gridOf(rows.flat());
  boundFineness(tasks.length, grid, `${where}: `);
  const scores = tasks.map((_, task) => onGrid([rows.flatMap((arm) => arm[task] ?? [])], grid).flat());
  const empty = tasks[scores.findIndex((row) => row.length === 0)];
  if (tasks.length === 0) throw malformed(`${where} has no tasks.`);
  if (empty !== undefined) throw malformed(`${where}: task ${empty} has no valid attempt.`);
  const compared = rows.flatMap((before) =>
    rows.filter((after) => after !== before).map((after) => () => inOrder({ before, after }, grid)),
  );
  return { name: typeof name === 'string' ? name : where, grid, scores, compared };
}

function boundSize(rows: readonly unknown[], where: string): void {
  const longest = rows.reduce((most: number, row) => Math.max(most, Array.isArray(row) ? row.length : 0), 0);
  if (rows.length > mostTasks) throw tooMany(`${where}${rows.length} tasks`, `at most ${mostTasks} tasks`);
  if (longest > mostAttempts)
    throw tooMany(`${where}${longest} attempts at a task`, `at most ${mostAttempts} attempts at each`);
}

function boundFineness(tasks: number, grid: ScoreGrid, where: string): void {
  if (grid === 1 || tasks <= mostFineTasks) return;
  throw tooMany(
    `${where}${tasks} tasks with scores between 0 and 1`,
    `at most ${mostFineTasks} such tasks, or ${mostTasks} that pass or fail (0 or 1)`,
  );
}

function tooMany(what: string, most: string): UserError {
  return new UserError(
    'scores-malformed',
    `${what} are too many for a table of rules.`,
    `Give ${most}: a sample will do.`,
  );
}

/** The arms that ran under byte-identical texts, which alone say what chance does. */
function armsOf(set: unknown, where: string): readonly object[] {
  const names = valueOf(set, 'sameText');
  if (!Array.isArray(names) || names.length === 0) throw malformed(`${where}: "sameText" names no arm.`);
  if (names.length > mostArms) throw tooMany(`${where}: ${names.length} arms of the same text`, `at most ${mostArms}`);
  return names.map((name: unknown) => {
    const arm = typeof name === 'string' ? valueOf(valueOf(set, 'outcomes'), name) : undefined;
    if (typeof arm !== 'object' || arm === null)
      throw malformed(`${where} has no outcomes of the arm ${String(name)}.`);
    return arm;
  });
}

/** Checked as a table of scores is, cell by cell; arms may have made different numbers of attempts. */
function rowsOf(arm: object, tasks: readonly string[], where: string): ScoreRows {
  return tasks.map((task) => {
    const row = valueOf(arm, task);
    if (!Array.isArray(row) || row.length === 0) throw malformed(`${where} has no attempts at task ${task}.`);
    return checked({ before: [row], after: [row] }, `${where}, task ${task}: `).before[0] ?? [];
  });
}

/** The same checks as everywhere, with what is wanted here. */
function checked(input: unknown, where: string): ScoreTable {
  try {
    return parseScoreTable(input);
  } catch (error) {
    throw error instanceof UserError ? malformed(`${where}${error.message}`) : error;
  }
}

function gridOf(rows: ScoreRows): ScoreGrid {
  const passOrFail = rows.flat().every((cell) => cell === null || cell === 0 || cell === 1);
  return gridFor(passOrFail ? 'hard' : 'soft', rows.flat().length / 2);
}

function onGrid(rows: ScoreRows, grid: ScoreGrid): readonly (readonly number[])[] {
  return rows.map((row) => row.flatMap((cell) => (cell === null ? [] : [Number(toGrid(cell, grid))])));
}

/** The columns of a table one after the other. */
function inOrder({ before, after }: ScoreTable, grid: ScoreGrid): NextPass {
  const passes = Math.min(...[...before, ...after].map((row) => row.length));
  let pass = 0;
  return () => {
    if (pass >= passes) return undefined;
    const column = pass;
    pass += 1;
    return before.map((row, task): PairResult => ({
      task,
      before: toGrid(row[column] ?? undefined, grid),
      after: toGrid(after[task]?.[column] ?? undefined, grid),
    }));
  };
}

function valueOf(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null
    ? Object.getOwnPropertyDescriptor(holder, name)?.value
    : undefined;
}

function malformed(what: string): UserError {
  const cure =
    'Give { "before": [[...]] } with or without "after" (a row a task, a column an attempt, scores from 0 to 1, null for a lost one), or recorded outcomes as docs/truth.md shows them.';
  return new UserError('scores-malformed', what, cure);
}
