import { messageOf, UserError } from '../../errors.js';
import { deepestNesting, nestingIn } from '../json/nesting.js';
import type { TaskSource } from '../makeTask.js';

/** Something in a foreign file that has no equal here, was changed to have one, is no task, or needs a person's words. Nothing is dropped silently. */
export interface ImportNote {
  readonly kind: 'no-equal' | 'changed' | 'refused' | 'known' | 'not-described' | 'unusable';
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

  /** A line, row or test that could not be read; the others come in all the same. */
  refused(where: string, why: string): void {
    this.all.push({ kind: 'refused', taskId: undefined, field: where, message: why });
  }

  /** One note for every field that holds something and that nobody read. */
  unread(taskId: string, record: Readonly<Record<string, unknown>>, read: readonly string[]): void {
    for (const [field, value] of Object.entries(record)) {
      if (!read.includes(field) && !isNothing(value))
        this.noEqual(taskId, field, `“${field}” has no equal and is left behind.`);
    }
  }
}

/** A file of which nothing can be read. */
export function malformedImport(path: string, why: string, cause?: unknown): UserError {
  return new UserError(
    'tasks-malformed',
    `${path} cannot be imported. ${why}`,
    'Correct the file and import it again. Each format has an example.',
    cause === undefined ? undefined : { cause },
  );
}

/** What came in, or an error where that is nothing: it says what is wrong with the first lines. */
export function somethingOf(path: string, imported: ImportedTasks): ImportedTasks {
  if (imported.tasks.length > 0) return imported;
  const refused = imported.notes.filter(({ kind }) => kind === 'refused').map(({ message }) => message);
  const shown = refused.slice(0, mostShown).join(' ');
  throw malformedImport(path, shown === '' ? 'There is no task in it.' : shown);
}

const mostShown = 3;

/** The JSON of a foreign text, or in plain words why it is none. Refuses what our own files could not hold. */
export function readJson(text: string): { readonly value: unknown } | { readonly why: 'syntax' | 'nesting' } {
  const json = text.replace(/^\uFEFF/u, '');
  try {
    const value: unknown = JSON.parse(json);
    return nestingIn(json) > deepestNesting ? { why: 'nesting' } : { value };
  } catch {
    return { why: 'syntax' };
  }
}

/** The JSON of a whole foreign file. */
export function parseImport(text: string, path: string): unknown {
  const read = readJson(text);
  if ('value' in read) return read.value;
  throw malformedImport(path, read.why === 'syntax' ? notJson(text) : 'Its values are nested too deeply.');
}

function notJson(text: string): string {
  try {
    JSON.parse(text.replace(/^\uFEFF/u, ''));
    return '';
  } catch (error) {
    const at = Number(/position (\d+)/u.exec(messageOf(error))?.[1] ?? Number.NaN);
    return Number.isNaN(at)
      ? 'It is not valid JSON.'
      : `Line ${text.slice(0, at).split('\n').length} is not valid JSON.`;
  }
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
