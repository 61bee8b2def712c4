import * as z from 'zod';
import text from './draftTasks.md';
import type { PromptTemplate } from '../renderPrompt.js';

/** Asks the optimizer model for tasks that show whether a skill works. */
export const draftTasksPrompt: PromptTemplate<'budget' | 'skill' | 'known'> = {
  name: 'draftTasks',
  text,
  placeholders: ['budget', 'skill', 'known'],
};

/** Said beside the tasks that exist where an agent works on them: what was asked of it shows what is in its folder. */
export const draftForAgents =
  'An agent with a shell works on these tasks in a folder of files, and so it will on yours: ask for work on the files that the tasks above name. Beside the checks below you may use `{"check": "file_changed", "path": "...", "contains": "..."}`, `{"check": "command_ran", "command": "..."}` and `{"check": "skill_used"}`.';

/** Tasks are read one by one afterwards: one malformed task does not cost the others. */
export const draftTasksReply = z.preprocess(
  (value) => (isTaskList(value) ? { tasks: value } : value),
  z.object({ tasks: z.array(z.unknown()) }),
);

/** Small models leave the object around the list out. */
function isTaskList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((task) => DraftedTask.safeParse(task).success);
}

/** One drafted task. */
export const DraftedTask = z.object({
  id: z.coerce.string().min(1),
  prompt: z.string().min(1),
  expectations: z.array(z.string().min(1)).catch([]).default([]),
  checks: z
    .array(z.looseObject({ check: z.string().min(1) }))
    .catch([])
    .default([]),
  tags: z.array(z.string().min(1)).catch([]).default([]),
});

/** The JSON schema that the server holds the reply to; checks differ too much between kinds to be pinned down. */
export const draftTasksReplySchema = {
  name: 'draft_tasks',
  schema: {
    type: 'object',
    properties: {
      tasks: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            prompt: { type: 'string' },
            expectations: { type: 'array', items: { type: 'string' } },
            checks: { type: 'array', items: { type: 'object' } },
            tags: { type: 'array', items: { type: 'string' } },
          },
          required: ['id', 'prompt', 'expectations', 'checks'],
        },
      },
    },
    required: ['tasks'],
  },
} as const;
