import * as z from 'zod';
import type { TaskSource } from '../makeTask.js';
import type { Side } from '../task.js';
import { readLines } from './benchmarkJsonl.js';
import {
  malformedImport,
  Notes,
  parseImport,
  withDistinctIds,
  type ImportedTasks,
  type ImportFile,
} from './importedTasks.js';
import { itemsIn, itemTask } from './itemTask.js';

/** The file of each folder of a benchmark that comes split; undefined for a side without one. */
export type SplitFolder = Readonly<Partial<Record<Side, ImportFile | undefined>>>;

/** Reads the items of each side; each is explicitly on the side of its folder. */
export function readSplitFolder({ training, heldOut, sealed }: SplitFolder): ImportedTasks {
  const notes = new Notes();
  const tasks = [
    ...itemsOf(training, 'training', notes),
    ...itemsOf(heldOut, 'heldOut', notes),
    ...itemsOf(sealed, 'sealed', notes),
  ];
  return { tasks: withDistinctIds(tasks, notes), notes: notes.all };
}

/** Reads one list of such items that nobody split yet. */
export function readItems(file: ImportFile): ImportedTasks {
  const notes = new Notes();
  return { tasks: withDistinctIds(itemsOf(file, undefined, notes), notes), notes: notes.all };
}

function itemsOf(file: ImportFile | undefined, side: Side | undefined, notes: Notes): readonly TaskSource[] {
  if (file === undefined) return [];
  if (/\.(?:jsonl|ndjson)$/iu.test(file.path)) return readLines(file, { side, notes });
  const value = parseImport(file.text, file.path);
  const parsed = z.array(z.record(z.string(), z.unknown())).safeParse(itemsIn(value));
  if (!parsed.success) throw malformedImport(file.path, 'It is not a list of tasks.', parsed.error);
  return parsed.data.flatMap((item, index) => {
    const task = itemTask(item, `${side ?? 'item'}-${index + 1}`, notes);
    if (task === undefined) {
      notes.refused(`item ${index + 1}`, `Item ${index + 1} needs “prompt” and “expectations”, or “answers”.`);
      return [];
    }
    return [{ ...task, assigned: side ?? task.assigned }];
  });
}
