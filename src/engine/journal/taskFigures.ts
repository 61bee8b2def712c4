import type { BeforeAfter, Share, TypeFigures } from '../../wording/taskWords.js';
import type { RunEvent } from './runEvents.js';

type AttemptEvent = Extract<RunEvent, { kind: 'attempt' }>;
type TypeOf = (taskId: string) => string;

/** How often one training task was passed, over all attempts of the run that were scored. */
export interface TaskPassRate {
  readonly id: string;
  readonly type: string;
  readonly attempts: number;
  readonly passed: number;
  readonly rate: number;
}

/** Training tasks with their pass rates, the hardest first. */
export function passRates(events: readonly RunEvent[], typeOf: TypeOf): readonly TaskPassRate[] {
  const byTask = new Map<string, readonly boolean[]>();
  for (const event of trainingAttempts(events))
    if (event.outcome.kind === 'scored')
      byTask.set(event.taskId, [...(byTask.get(event.taskId) ?? []), event.outcome.hard === 1]);
  return [...byTask]
    .map(([id, outcomes]) => {
      const passed = outcomes.filter(Boolean).length;
      return { id, type: typeOf(id), attempts: outcomes.length, passed, rate: passed / outcomes.length };
    })
    .sort((a, b) => a.rate - b.rate || (a.id < b.id ? -1 : 1));
}

/** The attempts that a run learned from. */
export function trainingAttempts(events: readonly RunEvent[]): readonly AttemptEvent[] {
  return events
    .filter((event) => event.kind === 'attempt')
    .filter(({ stage }) => stage === 'rollout' || stage === 'front');
}

/** Sums over the tasks of one type, as the paper's trainer keeps them. */
export interface TypeBucket {
  readonly total: number;
  readonly hard: number;
  readonly soft: number;
}

/** Scored attempts by type of task, with all of them together under `overall`; a task without a type is `other`. */
export function typeBuckets(attempts: readonly AttemptEvent[], typeOf: TypeOf): Readonly<Record<string, TypeBucket>> {
  const buckets = new Map<string, TypeBucket>();
  for (const { taskId, outcome } of attempts) {
    if (outcome.kind !== 'scored') continue;
    for (const type of new Set([typeOf(taskId) === '' ? 'other' : typeOf(taskId), 'overall'])) {
      const { total, hard, soft } = buckets.get(type) ?? { total: 0, hard: 0, soft: 0 };
      buckets.set(type, {
        total: total + 1,
        hard: hard + (outcome.givenHard ?? outcome.hard),
        soft: soft + outcome.soft,
      });
    }
  }
  return Object.fromEntries([...buckets].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1)));
}

/** All of them last. */
function rank(type: string): number {
  return type === 'overall' ? 1 : 0;
}

/** The attempts of one side, under the skill as it was and as it would be. */
export interface SideAttempts {
  readonly before: readonly AttemptEvent[];
  readonly after: readonly AttemptEvent[];
}

/** A row for each type of task; none where all tasks are of one type, for that would say nothing new. */
export function typeFigures(
  sides: { readonly training: readonly AttemptEvent[]; readonly heldOut: SideAttempts; readonly sealed: SideAttempts },
  typeOf: TypeOf,
): readonly TypeFigures[] {
  const lists = [sides.training, sides.heldOut.before, sides.heldOut.after, sides.sealed.before, sides.sealed.after];
  const types = [...new Set(lists.flat().map(({ taskId }) => typeOf(taskId)))].sort();
  if (types.length < 2) return [];
  const of = (type: string, attempts: readonly AttemptEvent[]): Share | undefined =>
    shareOf(attempts.filter(({ taskId }) => typeOf(taskId) === type));
  const both = (type: string, { before, after }: SideAttempts): BeforeAfter | undefined => {
    const found = { before: of(type, before), after: of(type, after) };
    return found.before === undefined && found.after === undefined ? undefined : found;
  };
  return types.map((type) => ({
    type,
    training: of(type, sides.training),
    heldOut: both(type, sides.heldOut),
    sealed: both(type, sides.sealed),
  }));
}

function shareOf(attempts: readonly AttemptEvent[]): Share | undefined {
  const passes = attempts.flatMap(({ outcome }) => (outcome.kind === 'scored' ? [outcome.hard === 1] : []));
  return passes.length === 0 ? undefined : { n: passes.length, share: passes.filter(Boolean).length / passes.length };
}

/** Null over nothing. */
export function mean(scores: readonly number[]): number | null {
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
