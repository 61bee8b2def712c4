import type { PlannedCalls, Range } from '../../models/estimate.js';
import { findPrice, type PriceOverrides } from '../../models/prices.js';
import { countTokens } from '../../skill/document/countTokens.js';
import type { Task } from '../../tasks/task.js';
import type { RoleModels } from '../models/runModels.js';

/** A usual answer, and the most that one may take. */
export const answerTokens: Range = { low: 300, high: 1_200 };
const judgementTokens: Range = { low: 80, high: 400 };
/** What our own words around a task take. */
const frameTokens = 60;

interface Attempted {
  readonly tasks: readonly Task[];
  /** What the target reads beside the task. */
  readonly text: string;
  readonly judgeRepeats: number;
  readonly models: Pick<RoleModels, 'target' | 'judge'>;
  readonly prices: PriceOverrides | undefined;
}

/** The calls that so many attempts at these tasks make: one to the target each, and the judge's where one grades. */
export function attemptPlans(
  attempts: Range,
  { tasks, text, judgeRepeats, models, prices }: Attempted,
): readonly PlannedCalls[] {
  const inputTokens = attemptTokens(tasks, text);
  const judged = shareJudged(tasks) * judgeRepeats;
  const price = findPrice(models.target.identity, prices);
  const target = { calls: attempts, inputTokens, outputTokens: answerTokens, price };
  if (judged === 0) return [target];
  return [
    target,
    {
      calls: { low: Math.ceil(attempts.low * judged), high: Math.ceil(attempts.high * judged) },
      inputTokens: inputTokens + answerTokens.low,
      outputTokens: judgementTokens,
      price: findPrice(models.judge.identity, prices),
    },
  ];
}

/** What an attempt at one of these tasks sends, on average. */
export function attemptTokens(tasks: readonly Task[], text: string): number {
  const total = tasks.reduce(
    (sum, task) => sum + countTokens([task.prompt, task.context ?? '', task.system ?? ''].join('\n')),
    0,
  );
  const mean = tasks.length === 0 ? 0 : Math.ceil(total / tasks.length);
  return mean + countTokens(text) + frameTokens;
}

function shareJudged(tasks: readonly Task[]): number {
  const judged = tasks.filter(
    (task) => task.expectations.length > 0 || task.checks.some(({ check }) => check === 'rubric'),
  );
  return tasks.length === 0 ? 0 : judged.length / tasks.length;
}
