import * as z from 'zod';
import { sideOf as sideOfField } from '../imports/plainTask.js';
import type { TaskSource } from '../makeTask.js';
import type { CheckSpec, Side } from '../task.js';
import {
  malformedImport,
  Notes,
  parseImport,
  withDistinctIds,
  type ImportedTasks,
  type ImportFile,
} from './importedTasks.js';
import { checksOf, stubToolsFor } from './ruleChecks.js';

const sleepFormat = 'skillopt_sleep.tasks.v1';

const sleepTask = z.looseObject({
  id: z.union([z.string().min(1), z.int()]),
  intent: z.string().regex(/\S/, 'must not be blank'),
  context_excerpt: z.string().nullish(),
  system: z.string().nullish(),
  reference_kind: z.string().nullish(),
  reference: z.string().nullish(),
  judge: z.looseObject({ checks: z.array(z.unknown()).optional() }).nullish(),
  tags: z.array(z.string()).nullish(),
  source_sessions: z.array(z.string()).nullish(),
  split: z.string().nullish(),
  origin: z.string().nullish(),
  derived_from: z.string().nullish(),
});

const sleepFile = z.looseObject({
  format: z.literal(sleepFormat),
  reviewed: z.boolean().optional(),
  tasks: z.array(z.unknown()),
});

type SleepTask = z.infer<typeof sleepTask>;

/** Reads a task file of SkillOpt-Sleep. Tasks that nobody reviewed come as drafts. */
export function readSleepTasks({ path, text }: ImportFile): ImportedTasks {
  const notes = new Notes();
  const file = sleepFile.safeParse(parseImport(text, path));
  if (!file.success)
    throw malformedImport(
      path,
      'It is none of the kinds of tasks that are known: a list, “tests”, “tasks” or “evals”.',
      file.error,
    );
  const { format: _format, reviewed = false, tasks, ...rest } = file.data;
  for (const field of Object.keys(rest)) notes.noEqual(undefined, field, `“${field}” has no equal and is left behind.`);
  if (!reviewed) notes.changed(undefined, 'reviewed', 'Nobody reviewed these tasks: they come as drafts.');
  const entries = tasks.flatMap((value, index) => {
    const parsed = sleepTask.safeParse(value);
    if (parsed.success) return [parsed.data];
    notes.refused(`task ${index + 1}`, `Task ${index + 1} needs “id” and “intent”, each of them a text.`);
    return [];
  });
  const origins = originsOf(
    entries.map((entry) => ({
      id: String(entry.id),
      sessions: entry.source_sessions ?? [],
      derivedFrom: entry.derived_from ?? undefined,
    })),
  );
  const sources = entries.map((entry) => ({
    ...taskOf(entry, notes),
    origin: origins.get(String(entry.id)),
    draft: !reviewed,
  }));
  return { tasks: withDistinctIds(sources, notes), notes: notes.all };
}

function taskOf(entry: SleepTask, notes: Notes): TaskSource {
  const id = String(entry.id);
  notes.unread(id, entry, Object.keys(sleepTask.shape));
  const { checks, references } = yardstickOf(entry, id, notes);
  if (entry.system?.includes('{skill_section}') === true) {
    notes.changed(id, 'system', 'The mark {skill_section} is written {skill} here.');
  }
  return {
    id,
    prompt: entry.intent,
    context: nonBlank(entry.context_excerpt),
    system: nonBlank(entry.system)?.replaceAll('{skill_section}', '{skill}'),
    checks,
    references,
    tools: stubToolsFor(checks, id, notes),
    tags: entry.tags ?? [],
    assigned: sideOf(entry, id, notes),
  };
}

function yardstickOf(
  entry: SleepTask,
  id: string,
  notes: Notes,
): { readonly checks: readonly CheckSpec[]; readonly references: readonly string[] } {
  const references = [nonBlank(entry.reference)].filter((text) => text !== undefined);
  switch (entry.reference_kind ?? 'none') {
    case 'rule':
      return { checks: checksOf(entry.judge?.checks ?? [], id, notes), references };
    case 'rubric':
      return { checks: references.map(judged), references: [] };
    case 'exact':
      // There the reference may stand anywhere in the answer.
      return { checks: [{ check: 'exact', hidden: false, arguments: { match: 'within' } }], references };
    case 'none':
      notes.changed(
        id,
        'reference_kind',
        'Nothing says what a good answer is; the judge is asked whether the task was done.',
      );
      return { checks: [judged('The answer does what the task asks for, completely and correctly.')], references: [] };
    default:
      notes.noEqual(
        id,
        'reference_kind',
        `There is no yardstick of the kind “${entry.reference_kind}”. Write a check for this task.`,
      );
      return { checks: [], references };
  }
}

function judged(rubric: string): CheckSpec {
  return { check: 'rubric', hidden: false, arguments: { rubric } };
}

/** A task of the origin “dream” was made from another one: it trains, and never proves anything. */
function sideOf(entry: SleepTask, id: string, notes: Notes): Side | undefined {
  return entry.origin === 'dream' ? 'training' : sideOfField(nonBlank(entry.split), id, notes);
}

function nonBlank(text: string | null | undefined): string | undefined {
  return text === null || text === undefined || text.trim() === '' ? undefined : text;
}

/** Where a foreign task comes from: the sessions it was mined from, and the task it is a variant of. */
interface TaskDescent {
  readonly id: string;
  readonly sessions: readonly string[];
  readonly derivedFrom: string | undefined;
}

/**
 * One origin for all tasks that share a session, descend from one another, or are joined by a chain of such ties;
 * tasks that stand alone have none. Its name is the smallest of the sessions and ids in it.
 */
export function originsOf(tasks: readonly TaskDescent[]): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  const rootOf = (node: string): string => {
    let root = node;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) root = up;
    parents.set(node, root);
    return root;
  };
  const join = (first: string, second: string): void => {
    const [low, high] = [rootOf(first), rootOf(second)].toSorted();
    if (low !== undefined && high !== undefined && low !== high) parents.set(high, low);
  };
  for (const { id, sessions, derivedFrom } of tasks) {
    for (const session of sessions) join(`task ${id}`, `session ${session}`);
    if (derivedFrom !== undefined && derivedFrom !== '') join(`task ${id}`, `task ${derivedFrom}`);
  }
  return new Map(
    tasks
      .filter(({ sessions, derivedFrom }) => sessions.length > 0 || (derivedFrom ?? '') !== '')
      .map(({ id }) => [id, rootOf(`task ${id}`)]),
  );
}
