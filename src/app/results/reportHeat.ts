import { candidateSteps } from '../../engine/journal/candidateStep.js';
import type { RunEvent, Stage } from '../../engine/journal/runEvents.js';
import { english as say } from '../../wording/translate.js';

/** How every task came out at every point of a run where it was attempted. */
export interface HeatMap {
  readonly columns: readonly { readonly stage: Stage; readonly step: number; readonly label: string }[];
  readonly rows: readonly HeatRow[];
}

export interface HeatRow {
  readonly task: string;
  readonly side: 'training' | 'heldOut';
  /** One a column: mean hard score, null (it travels as JSON) where the task was not attempted or had no result. */
  readonly scores: readonly (number | null)[];
}

const sides: Readonly<Partial<Record<Stage, HeatRow['side']>>> = {
  baseline: 'heldOut',
  rollout: 'training',
  evaluate: 'heldOut',
};

type AttemptEvent = Extract<RunEvent, { kind: 'attempt' }>;

/**
 * Tasks by steps. A candidate that is tried on further tasks while a later step looks for a better one keeps its own
 * column: a cell holds the results of one text. Certification is left out: it has its own figures.
 */
export function heatOf(events: readonly RunEvent[]): HeatMap {
  const columnOf = columnsByText();
  const columns = new Map<string, HeatMap['columns'][number]>();
  const tasks = new Map<string, { readonly side: HeatRow['side']; readonly cells: Map<string, number[]> }>();
  for (const event of events) {
    if (event.kind !== 'attempt') continue;
    const side = sides[event.stage];
    if (side === undefined) continue;
    const { key: column, ...shown } = columnOf(event);
    columns.set(column, shown);
    const row = tasks.get(event.taskId) ?? { side, cells: new Map<string, number[]>() };
    const { outcome } = event;
    if (outcome.kind === 'scored') row.cells.set(column, [...(row.cells.get(column) ?? []), outcome.hard]);
    tasks.set(event.taskId, row);
  }
  const ordered = [...columns].sort(
    ([, a], [, b]) => a.step - b.step || order.indexOf(a.stage) - order.indexOf(b.stage),
  );
  const keys = ordered.map(([key]) => key);
  return {
    columns: ordered.map(([, column]) => column),
    rows: [...tasks.entries()]
      .map(([task, { side, cells }]) => ({ task, side, scores: keys.map((key) => mean(cells.get(key))) }))
      .sort((a, b) => compare(a.side, b.side) || compare(a.task, b.task)),
  };
}

const order: readonly Stage[] = ['baseline', 'rollout', 'evaluate'];

/** Gives every attempt its column: two candidates of one step have one each. */
function columnsByText(): (event: AttemptEvent) => HeatMap['columns'][number] & { readonly key: string } {
  const stepOf = candidateSteps();
  return (event) => {
    const { stage, skillHash, memoryHash = '' } = event;
    const step = stepOf(event);
    const text = stage === 'evaluate' ? `${skillHash} ${memoryHash}` : '';
    return { key: `${step}:${stage}:${text}`, stage, step, label: labelOf(stage, step) };
  };
}

function labelOf(stage: Stage, step: number): string {
  if (stage === 'baseline') return 'before';
  return stage === 'rollout' ? say('step {0}, training', step) : say('step {0}, candidate', step);
}

function mean(scores: readonly number[] | undefined): number | null {
  if (scores === undefined) return null;
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
