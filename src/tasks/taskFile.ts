import { UserError } from '../errors.js';
import type { FieldFault } from './fieldFaults.js';
import {
  JsonSyntaxError,
  memberOf,
  nearestNode,
  parsingJsonTree,
  type JsonMember,
  type JsonNode,
} from './json/jsonTree.js';
import { positionsIn } from './json/textPosition.js';
import { atOnce, type Steps } from './steps.js';
import type { TaskPlace, TaskProblem } from './taskProblem.js';

/** A file of tasks that as a whole cannot be read; `place` is where it stops making sense. */
export class TasksMalformedError extends UserError {
  readonly place: TaskPlace;

  constructor(what: string, place: TaskPlace, options?: { readonly cause?: unknown }) {
    const where = `${place.path}, line ${place.start.line}, column ${place.start.column}`;
    super(
      'tasks-malformed',
      `${where}: ${what}${/[.?]$/u.test(what) ? '' : '.'}`,
      `Open ${place.path} and fix it there.`,
      options,
    );
    this.name = 'TasksMalformedError';
    this.place = place;
  }
}

/** A file of tasks that was parsed, and knows where each of its values stands. */
export interface TaskFile {
  readonly path: string;
  readonly root: JsonNode;
  readonly placeOf: (node: { readonly start: number; readonly end: number }) => TaskPlace;
}

const mostValues = 300_000; // ten thousand tasks with four checks each are some 170,000

/** Throws {@link TasksMalformedError} where the text is not JSON, or holds more than is read at one go. */
export function openTaskFile(path: string, text: string): TaskFile {
  return atOnce(openingTaskFile(path, text));
}

/** The same in pieces. */
export function* openingTaskFile(path: string, text: string): Steps<TaskFile> {
  const positionOf = positionsIn(text);
  const placeOf: TaskFile['placeOf'] = ({ start, end }) => ({ path, start: positionOf(start), end: positionOf(end) });
  try {
    return { path, root: yield* parsingJsonTree(text, mostValues), placeOf };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new TasksMalformedError(error.message, placeOf({ start: error.offset, end: error.offset + 1 }), {
      cause: error,
    });
  }
}

/** Of one skill. A large benchmark has as many; nobody trains on more, and each is compared with all others. */
export const mostTasks = 10_000;

/** Throws where a file holds more tasks than a person meant to give: looking at them would hold everything else up. */
export function refuseTooMany(file: TaskFile, node: JsonNode, count: number): void {
  if (count <= mostTasks) return;
  throw new TasksMalformedError(
    `it holds ${count} tasks, and at most ${mostTasks} of one skill are read`,
    file.placeOf({ start: node.start, end: node.start + 1 }),
  );
}

/** A problem for each thing that a schema refused, on the value it is about, or on the name that there is not. */
export function schemaProblems(
  file: TaskFile,
  node: JsonNode,
  faults: readonly FieldFault[],
  taskId?: string,
): readonly TaskProblem[] {
  return faults.map(({ path, message, isName = false }) => {
    const named = isName ? memberOf(nearestNode(node, path.slice(0, -1)), String(path.at(-1))) : undefined;
    return {
      severity: 'error',
      code: 'schema',
      message: taskId === undefined ? message : `The task “${taskId}” cannot be used: ${message}`,
      taskId,
      place: file.placeOf(named === undefined ? nearestNode(node, path) : nameIn(named)),
    };
  });
}

/** The name of a member without its value. */
export function nameIn({ key, start }: JsonMember): { readonly start: number; readonly end: number } {
  return { start, end: start + key.length + 2 };
}
