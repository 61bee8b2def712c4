import { messageOf, UserError } from '../../errors.js';
import { deepestNesting, nestingIn } from '../json/nesting.js';
import type { TaskSource } from '../makeTask.js';

/** Something in a foreign file that has no equal here, or was changed to have one. Nothing is dropped silently. */
export interface ImportNote {
  readonly kind: 'no-equal' | 'changed';
  /** The task it is about; undefined for the file as a whole. */
  readonly taskId: string | undefined;
  readonly field: string;
  readonly message: string;
}

/** Tasks of another tool's file, and everything of it that could not come along. */
export interface ImportedTasks {
  readonly tasks: readonly TaskSource[];
  readonly notes: readonly ImportNote[];
}

export interface ImportFile {
  readonly path: string;
  readonly text: string;
}

/** Collects notes on one task while it is read. */
export class Notes {
  readonly all: ImportNote[] = [];

  noEqual(taskId: string | undefined, field: string, why: string): void {
    this.all.push({ kind: 'no-equal', taskId, field, message: why });
  }

  changed(taskId: string | undefined, field: string, how: string): void {
    this.all.push({ kind: 'changed', taskId, field, message: how });
  }

  /** One note for every field that holds something and that nobody read. */
  unread(taskId: string, record: Readonly<Record<string, unknown>>, read: readonly string[]): void {
    for (const [field, value] of Object.entries(record)) {
      if (!read.includes(field) && !isNothing(value))
        this.noEqual(taskId, field, `“${field}” has no equal and is left behind.`);
    }
  }
}

export function malformedImport(path: string, where: string, why: string, cause?: unknown): UserError {
  const cure = 'Mend the file, or choose the format that it really has.';
  return new UserError(
    'tasks-malformed',
    `${path}${where}: ${why}.`,
    cure,
    cause === undefined ? undefined : { cause },
  );
}

/** The JSON of a foreign file, or of one line of it: `where` names the line. Throws for what our own files could not hold. */
export function parseImport(text: string, path: string, where = ''): unknown {
  const json = text.replace(/^\uFEFF/u, '');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw malformedImport(path, where, messageOf(error), error);
  }
  if (nestingIn(json) > deepestNesting) throw malformedImport(path, where, 'the values are nested too deeply');
  return value;
}

/** Ids that several files, or several lines, share are told apart by a number. */
export function withDistinctIds(tasks: readonly TaskSource[], notes: Notes): readonly TaskSource[] {
  const taken = new Set(tasks.map((task) => task.id));
  const seen = new Set<string>();
  return tasks.map((task) => {
    if (!seen.has(task.id)) {
      seen.add(task.id);
      return task;
    }
    let number = 2;
    while (taken.has(`${task.id}-${number}`)) number += 1;
    const id = `${task.id}-${number}`;
    taken.add(id);
    notes.changed(id, 'id', `“${task.id}” is taken by another task; this one is “${id}”.`);
    return { ...task, id };
  });
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
