import type { TextPosition } from './json/textPosition.js';

export type TaskProblemCode =
  | 'schema'
  | 'unknown-field'
  | 'duplicate-id'
  | 'same-task'
  | 'task-changed'
  | 'task-renamed'
  | 'entry-without-task'
  | 'held-out-conflict'
  | 'unknown-check'
  | 'malformed-check'
  | 'cannot-pass'
  | 'never-fails'
  | 'shape-only'
  | 'not-described'
  | 'fixture-outside'
  | 'fixture-unusable'
  | 'too-few-tasks'
  | 'set-aside'
  | 'leak';

/** A stretch of one of the task files. */
export interface TaskPlace {
  readonly path: string;
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** Something about the tasks that a schema cannot say. An error keeps its task out; a warning does not. */
export interface TaskProblem {
  readonly severity: 'error' | 'warning';
  readonly code: TaskProblemCode;
  readonly message: string;
  readonly taskId: string | undefined;
  readonly place: TaskPlace;
}

/** What is wrong, where the task is named already. */
export function withoutTask(message: string, id: string): string {
  const named = `The task “${id}” cannot be used: `;
  return message.startsWith(named) ? message.slice(named.length) : message;
}
