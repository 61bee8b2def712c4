import { grouped, percentOrNone, usdText } from '../../wording/amounts.js';
import { totalSpend } from '../../engine/journal/runSummary.js';
import type { EvaluatedTask, EvaluationResult } from '../../app/runs/evaluate.js';
import { storedText } from '../spendText.js';
import { table } from '../table.js';
import { oneLine, type Paint } from '../terminal.js';
import { shownModel } from '../../wording/programs/shownModel.js';
import { english } from '../../wording/translate.js';

/** Two evaluations of the same tasks under the same skill, on two models. */
export interface ModelComparison {
  readonly first: EvaluationResult;
  readonly second: EvaluationResult;
}

/** One task on both models. A task without a result on one of them is told apart from a tie. */
interface ComparedTask {
  readonly id: string;
  readonly split: EvaluatedTask['split'];
  readonly first: EvaluatedTask;
  readonly second: EvaluatedTask | undefined;
  readonly better: 'first' | 'second' | 'equal' | 'unknown';
}

/** What `--json` prints: stable names for scripts. */
export function comparisonJson({ first, second }: ModelComparison): Readonly<Record<string, unknown>> {
  const tasks = comparedTasks({ first, second });
  return {
    skill: first.skillName,
    models: [modelJson(first), modelJson(second)],
    tasks: tasks.map((task) => ({
      id: task.id,
      split: task.split,
      hard: [task.first.hard ?? null, task.second?.hard ?? null],
      soft: [task.first.soft ?? null, task.second?.soft ?? null],
      better: task.better,
    })),
    better: { first: count(tasks, 'first'), second: count(tasks, 'second'), equal: count(tasks, 'equal') },
    unknown: count(tasks, 'unknown'),
  };
}

/** The two models side by side, task by task, and what each took. */
export function comparisonText(compared: ModelComparison, paint: Paint): string {
  const { first, second } = compared;
  const tasks = comparedTasks(compared);
  const rows = tasks.map((task) => [
    task.id,
    task.split === 'heldOut' ? 'held-out' : task.split,
    percentOrNone(task.first.hard),
    percentOrNone(task.second?.hard),
    paint(task.better === 'equal' ? 'dim' : 'bold', betterText(task, compared)),
  ]);
  const titles = ['task', 'side', shownModel(first.model), shownModel(second.model), 'better'].map((word) =>
    paint('bold', word),
  );
  return [
    table([titles, ...rows]),
    '',
    modelText(first),
    ...storedText(first.answers),
    modelText(second),
    ...storedText(second.answers),
    `Better on ${count(tasks, 'first')} tasks: ${oneLine(shownModel(first.model))}; on ${count(tasks, 'second')}: ${oneLine(shownModel(second.model))}; equal on ${count(tasks, 'equal')}${unknownText(tasks)}.`,
    'One attempt at each task: a difference of a task or two is chance.',
  ].join('\n');
}

function comparedTasks({ first, second }: ModelComparison): readonly ComparedTask[] {
  const others = new Map(second.tasks.map((task) => [task.id, task]));
  return first.tasks.map((task) => {
    const other = others.get(task.id);
    return { id: task.id, split: task.split, first: task, second: other, better: betterOf(task, other) };
  });
}

function betterOf(first: EvaluatedTask, second: EvaluatedTask | undefined): ComparedTask['better'] {
  if (first.hard === undefined || second?.hard === undefined) return 'unknown';
  const difference = first.hard - second.hard || (first.soft ?? 0) - (second.soft ?? 0);
  return difference === 0 ? 'equal' : difference > 0 ? 'first' : 'second';
}

function betterText({ better }: ComparedTask, { first, second }: ModelComparison): string {
  switch (better) {
    case 'first':
      return shownModel(first.model);
    case 'second':
      return shownModel(second.model);
    case 'equal':
      return '=';
    case 'unknown':
      return '?';
  }
}

function modelJson(result: EvaluationResult): Readonly<Record<string, unknown>> {
  const { calls, failedCalls, tokens, usd } = totalSpend(result.summary);
  const { hard, soft, n, invalid } = result.totals.all;
  return {
    model: result.model,
    simulated: result.simulated,
    hard: hard ?? null,
    soft: soft ?? null,
    n,
    invalid,
    answers: result.answers.all,
    storedAnswers: result.answers.stored,
    calls,
    failedCalls,
    tokens,
    usd: usd ?? null,
  };
}

function modelText({ model, totals, summary }: EvaluationResult): string {
  const { calls, tokens, usd, exact } = totalSpend(summary);
  const { hard, soft, n, invalid } = totals.all;
  const missing = invalid === 0 ? '' : `, ${invalid} without a result`;
  const spent = `${grouped(calls)} calls, ${grouped(tokens)} tokens${exact ? '' : ' (estimated)'}, ${usdText(usd, english)}`;
  return `${oneLine(model)}: hard ${percentOrNone(hard)}, soft ${percentOrNone(soft)} over ${n} tasks${missing}; ${spent}.`;
}

function unknownText(tasks: readonly ComparedTask[]): string {
  const unknown = count(tasks, 'unknown');
  return unknown === 0 ? '' : `; ${unknown} without a result on one of them`;
}

function count(tasks: readonly ComparedTask[], better: ComparedTask['better']): number {
  return tasks.filter((task) => task.better === better).length;
}
