import type { z } from 'zod';
import { type CappedList, cappedList } from './cappedList.js';
import type { SkillStore } from './store.js';

const mostTasks = 300; // as many as upstream keeps

/** Past training tasks of a skill, each once by its content: what a later night may recall. */
export function taskArchiveOf<Task extends { readonly contentHash: string }>(
  store: SkillStore,
  schema: z.ZodType<Task>,
): CappedList<Task> {
  return cappedList(store, {
    folder: 'task-archives',
    schema,
    keyOf: ({ contentHash }) => contentHash,
    most: mostTasks,
  });
}
