import * as z from 'zod';
import type { CappedList } from '../../storage/state/cappedList.js';
import type { SkillStore } from '../../storage/state/store.js';
import { taskArchiveOf } from '../../storage/state/taskArchive.js';
import { makeTask } from '../../tasks/makeTask.js';
import type { Task, TrainingTask } from '../../tasks/task.js';

const words = z.array(z.string());
const anything = z.record(z.string(), z.unknown());

/** A task as it was archived; its hash is worked out afresh, so that an older version's hash never counts. */
const ArchivedTask: z.ZodType<Task> = z
  .object({
    id: z.string(),
    prompt: z.string(),
    expectedOutput: z.string().optional(),
    files: words.default([]),
    expectations: words.default([]),
    checks: z.array(z.object({ check: z.string(), hidden: z.boolean(), arguments: anything })).default([]),
    references: words.default([]),
    context: z.string().optional(),
    system: z.string().optional(),
    tools: z
      .array(z.object({ name: z.string(), description: z.string(), parameters: anything, result: z.string() }))
      .default([]),
    environment: z.string(),
    tags: words.default([]),
    origin: z.string().optional(),
  })
  .transform((task) => makeTask(task));

/** The training tasks of past nights of a skill, each once. */
export function nightArchive(store: SkillStore): CappedList<Task> {
  return taskArchiveOf(store, ArchivedTask);
}

/** Remembers what a night was trained on, for later nights. Held-out and sealed tasks do not fit in here. */
export async function archiveTraining(
  store: SkillStore,
  tasks: readonly TrainingTask[],
  signal: AbortSignal,
): Promise<void> {
  if (tasks.length > 0) await nightArchive(store).add(tasks, signal);
}
