import { minimumHeldOutTasks } from '../statistics/certification.js';
import { powerOf, type Power } from '../statistics/power.js';
import { metricScore } from '../statistics/scores.js';
import type { GateSettings, TaskTally } from './knownAttempts.js';
import { foundShare } from './simulatedGates.js';

/**
 * From so many attempts with a result on, a task's own pass rate is used, and only then it is said that it always passes
 * or always fails. A task that passes every other time comes out alike in five attempts once in sixteen tasks.
 */
export const attemptsEnough = 5;

/** A held-out task, and what is known of it under the text that a run would start from. */
export interface TaskKnown {
  readonly id: string;
  readonly record: TaskTally | undefined;
}

/** A task that came out the same in every known attempt. */
export interface SettledTask {
  readonly id: string;
  readonly attempts: number;
}

/** What the held-out tasks of a skill can show, and what that was told from. */
export interface TaskPower extends Power {
  readonly known: {
    /** How many tasks have attempts enough; the rates of the others are assumed. */
    readonly tasks: number;
    /** The fewest and the most attempts at one of them; missing where there is none. */
    readonly attempts?: { readonly low: number; readonly high: number } | undefined;
  };
  /** They cannot show a gain, and still show damage. */
  readonly alwaysPass: readonly SettledTask[];
  /** An edit may make them pass; or their checks are broken. */
  readonly alwaysFail: readonly SettledTask[];
  /** The same with tasks of unknown rates in the place of those that always pass; missing where none does. */
  readonly instead?: Pick<Power, 'found20' | 'found40'> | undefined;
}

/** Which held-out tasks came out the same in every known attempt. Nothing is simulated for that. */
export function settledTasks(
  tasks: readonly TaskKnown[],
  gate: GateSettings,
): Pick<TaskPower, 'alwaysPass' | 'alwaysFail'> {
  const alike = (score: number): readonly SettledTask[] =>
    tasks
      .flatMap(({ id, record }) =>
        record !== undefined && rateOf(record, gate) === score ? [{ id, attempts: record.attempts }] : [],
      )
      .sort((a, b) => byName.compare(a.id, b.id));
  return { alwaysPass: alike(1), alwaysFail: alike(0) };
}

const byName = new Intl.Collator('en', { numeric: true });

/** What these tasks can show under the gate of a run: each with its own rate where it is known. */
export function taskPower(tasks: readonly TaskKnown[], gate: GateSettings): TaskPower {
  const n = tasks.length;
  const rates = tasks.map(({ record }) => rateOf(record, gate));
  const settled = settledTasks(tasks, gate);
  const told = { n, known: knownOf(tasks), ...settled };
  if (gate.rule !== 'confident' || n < minimumHeldOutTasks) return { ...powerOf(n), ...told };
  const shares = (of: typeof rates) => sharesOf(of, gate);
  if (settled.alwaysPass.length === 0) return { ...told, ...shares(rates) };
  return { ...told, ...shares(rates), instead: shares(rates.map((rate) => (rate === 1 ? undefined : rate))) };
}

function sharesOf(
  rates: readonly (number | undefined)[],
  { noRegression }: GateSettings,
): Pick<Power, 'found20' | 'found40'> {
  if (!noRegression && rates.every((rate) => rate === undefined)) {
    const { found20, found40 } = powerOf(rates.length);
    return { found20, found40 };
  }
  const found = (gain: number): number => foundShare({ rates, noRegression }, gain);
  return { found20: found(0.2), found40: found(0.4) };
}

/** The mean score under the metric; undefined where there are too few attempts to tell. */
function rateOf(record: TaskTally | undefined, { metric, mixedWeight }: GateSettings): number | undefined {
  if (record === undefined || record.attempts < attemptsEnough) return undefined;
  const { attempts, passed, soft } = record;
  return metricScore({ hard: passed / attempts, soft: soft / attempts }, metric, mixedWeight);
}

function knownOf(tasks: readonly TaskKnown[]): TaskPower['known'] {
  const counts = tasks.map(({ record }) => record?.attempts ?? 0).filter((attempts) => attempts >= attemptsEnough);
  if (counts.length === 0) return { tasks: 0 };
  return { tasks: counts.length, attempts: { low: Math.min(...counts), high: Math.max(...counts) } };
}
