import * as z from 'zod';
import { attemptRow, type AttemptFacts } from '../../engine/journal/attemptRow.js';
import type { AttemptEvent } from '../../engine/journal/attemptEvent.js';
import { parseJson } from '../../parseJson.js';
import type { TextStore } from '../../ports/stores.js';
import type { SidedTask, SplitTasks, Task } from '../../tasks/task.js';
import { keptReasons } from '../results/keptReasons.js';

/** What rows of attempts are made from, beside what the run wrote down. */
export interface RowSources {
  readonly tasks: SplitTasks;
  readonly texts: Pick<TextStore, 'get'>;
  readonly typeOf: (task: Task) => string;
  /** What the target is told of a task; undefined where its environment alone knows. */
  readonly promptsOf: (task: Task) => Promise<AttemptFacts['prompts']>;
}

/** Attempts as the paper's trainer lists them, each with its answer. */
export async function attemptRows(
  sources: RowSources,
  attempts: readonly AttemptEvent[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const tasks = tasksById(sources.tasks);
  return Promise.all(
    attempts.map(async (event) => attemptRow(event, await factsOf(sources, event, tasks.get(event.taskId)))),
  );
}

async function factsOf(
  { texts, typeOf, promptsOf }: RowSources,
  event: AttemptEvent,
  task: SidedTask | undefined,
): Promise<AttemptFacts> {
  const textAt = async (hash: string | undefined): Promise<string | undefined> =>
    hash === undefined ? undefined : texts.get(hash);
  return {
    task,
    type: task === undefined ? '' : typeOf(task),
    response: await textAt(event.answerHash),
    reasons: await keptReasons(texts, event.reasonsHash),
    prompts: task === undefined ? undefined : await promptsOf(task),
    extras: Extras.safeParse(parseJson((await textAt(event.extrasHash)) ?? '')).data,
  };
}

const Extras = z.record(z.string(), z.unknown());

/** The type of a task by its id; nothing for one that is no task of the files. */
export function typeById({ tasks, typeOf }: Pick<RowSources, 'tasks' | 'typeOf'>): (taskId: string) => string {
  const found = tasksById(tasks);
  return (id) => {
    const task = found.get(id);
    return task === undefined ? '' : typeOf(task);
  };
}

function tasksById({ training, heldOut, sealed }: SplitTasks): ReadonlyMap<string, SidedTask> {
  return new Map([...training, ...heldOut, ...sealed].map((task) => [task.id, task]));
}
