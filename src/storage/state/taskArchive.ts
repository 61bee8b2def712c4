import * as z from 'zod';
import { makeTask, textHashOf } from '../../tasks/makeTask.js';
import { agentNames, type Task, type TrainingTask } from '../../tasks/task.js';
import { type CappedList, cappedList } from './skillState.js';
import type { SkillStore } from './store.js';

/**
 * Where a past task came from: the person's own files, an environment that brought it, or a session, as a draft that was
 * made by rules or by a model that put every word of its criteria in the person's.
 */
const pastSources = ['files', 'brought', 'by-rules', 'every-word'] as const;
export type PastSource = (typeof pastSources)[number];

/** Earlier versions did not write down where a task came from. */
export type PastTask = Task & { readonly from?: PastSource | undefined };

/**
 * Past training tasks of a skill, each once by its content, without their secrets. Held-out and sealed tasks do not fit
 * in here.
 */
export interface TaskArchive extends Pick<CappedList<PastTask>, 'all' | 'clean' | 'remove'> {
  add(tasks: readonly (TrainingTask & Pick<PastTask, 'from'>)[], signal: AbortSignal): Promise<void>;
}

const mostTasks = 300; // as many as upstream keeps
const words = z.array(z.string());
const anything = z.record(z.string(), z.unknown());

/**
 * A task as it was archived; its hash is worked out afresh, so that an older version's hash never counts. A copy without
 * its secrets keeps the hashes of the original: by them it is known.
 */
const ArchivedTask: z.ZodType<PastTask> = z
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
    agent: z
      .object({
        fixture: z.union([z.string(), z.object({ repository: z.string(), commit: z.string() })]),
        mode: z.enum(['offered', 'forced']),
        program: z.enum(agentNames).optional(),
        maxTokens: z.number().optional(),
        maxTurns: z.number().optional(),
        minutes: z.number().optional(),
      })
      .optional(),
    tags: words.default([]),
    origin: z.string().optional(),
    contentHash: z.string().optional(),
    textHash: z.string().optional(),
    from: z.enum(pastSources).optional(),
  })
  .transform(({ contentHash, textHash, from, ...task }) => {
    const made = { ...makeTask(task), ...(from === undefined ? {} : { from }) };
    return contentHash === undefined || textHash === undefined ? made : { ...made, contentHash, textHash };
  });

/** What later consolidations of the skill may recall. */
export function taskArchiveOf(store: SkillStore): TaskArchive {
  return cappedList(store, {
    folder: 'task-archives',
    schema: ArchivedTask,
    keyOf: ({ contentHash }) => contentHash,
    most: mostTasks,
    isOfVersion2: ({ from }) => from !== undefined,
    stored: (task) => taskWithoutSecrets(store, task),
  });
}

/** A task as the archive keeps it; the same task where it has no secret. */
export function taskWithoutSecrets<Kind extends Task>({ hide }: Pick<SkillStore, 'hide'>, task: Kind): Kind {
  const { prompt, expectedOutput, expectations, checks, references, context, system, tools, referenceText } = task;
  const known = referenceText === undefined ? {} : { referenceText };
  const hidden = hide?.({ prompt, expectedOutput, expectations, checks, references, context, system, tools, ...known });
  if (hidden === undefined || Object.keys(hidden.secrets).length === 0) return task;
  return { ...task, ...hidden.value, textHash: textHashOf(task) };
}
