import { openTaskFile, TasksMalformedError } from '../taskFile.js';
import { atOnce } from '../steps.js';
import { readEvals, withoutDuplicates } from './readEvals.js';

/** A task in the text of a file: from the brace that opens it to the one that closes it. */
export interface TaskInText {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** Where the tasks stand in the text of a task file; none while somebody is typing and it is no JSON. */
export function tasksIn(text: string): readonly TaskInText[] {
  try {
    const { rows } = withoutDuplicates(atOnce(readEvals(openTaskFile('', text), { heldOut: false })).rows);
    return rows.map(({ id, node }) => ({ id, start: node.start, end: node.end }));
  } catch (error) {
    if (error instanceof TasksMalformedError) return [];
    throw error;
  }
}
