import type { PairResult } from '../statistics/tally.js';
import { beta, type Random } from './random.js';

/** Chance to pass (or mean score) of one task under the original and under the candidate. */
export interface SimulatedTask {
  readonly before: number;
  readonly after: number;
}

/** Per-task pass rates of the model that every bar is stated for: mostly neither hopeless nor safe. */
export const baseRate = { a: 1.2, b: 1.2 };

/** `n` tasks whose rate moves by `effect(task)`, cut off at 0 and 1. */
export function drawTasks(random: Random, n: number, effect: (task: number) => number): readonly SimulatedTask[] {
  return Array.from({ length: n }, (_, task) => {
    const before = beta(random, baseRate.a, baseRate.b);
    return { before, after: clip(before + effect(task)) };
  });
}

/** Every task once under both skills, pass or fail. */
export function attemptPass(random: Random, tasks: readonly SimulatedTask[]): readonly PairResult[] {
  return tasks.map(({ before, after }, task) => ({
    task,
    before: random() < before ? 1 : 0,
    after: random() < after ? 1 : 0,
  }));
}

export function clip(rate: number): number {
  return Math.min(1, Math.max(0, rate));
}
