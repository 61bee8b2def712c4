import { nearestNode } from './json/jsonTree.js';
import { joinTasks } from './readers/joinTasks.js';
import { readEvals, withoutDuplicates } from './readers/readEvals.js';
import { readWhetstone } from './readers/readWhetstone.js';
import type { ReadTasks, TaskFiles } from './readers/readTasks.js';
import { listFixtures, workFolderOf, type Task } from './task.js';
import { openTaskFile } from './taskFile.js';
import { atOnce } from './steps.js';
import type { TaskPlace, TaskProblem } from './taskProblem.js';

/**
 * The tasks with what is wrong with their fixtures, which only a look at the disk can say. A task without its fixture
 * is kept out: attempted, it could only fail. `faultOf` is asked with the path as it is relative to the skill's folder.
 */
export function withFixtureProblems(
  read: ReadTasks,
  texts: TaskFiles,
  faultOf: (file: string, task: Task) => string | undefined,
): ReadTasks {
  const found = [...read.tasks, ...read.broken.map(({ task }) => task)].flatMap((task) =>
    namedBy(task).flatMap((file) => {
      const reason = faultOf(file, task);
      return reason === undefined ? [] : [{ task, file, reason }];
    }),
  );
  if (found.length === 0) return read;
  const placeOf = placesIn(texts, read.places);
  const reasons = new Map(found.map(({ task, reason }) => [task, reason]));
  const broken = read.tasks.flatMap((task) => {
    const reason = reasons.get(task);
    return reason === undefined ? [] : [{ task, reason }];
  });
  const problems = found.map(({ task, file, reason }): TaskProblem => ({
    severity: 'error',
    code: 'fixture-unusable',
    message: reason,
    taskId: task.id,
    place: placeOf(task, file),
  }));
  return {
    ...read,
    tasks: read.tasks.filter((task) => !reasons.has(task)),
    broken: [...read.broken, ...broken],
    problems: [...read.problems, ...problems],
  };
}

function namedBy(task: Task): readonly string[] {
  const folder = workFolderOf(task);
  return folder === undefined ? listFixtures(task) : [...listFixtures(task), folder];
}

/** Finds the words that name a fixture: a file in the task's entry, the folder of an agent in what whetstone.json says of it. */
function placesIn(texts: TaskFiles, known: ReadTasks['places']): (task: Task, file: string) => TaskPlace {
  const { evalsPath, evalsText, heldOutPath = '', heldOutText, whetstonePath, whetstoneText } = texts;
  const apart = heldOutText === undefined ? [] : [openTaskFile(heldOutPath, heldOutText)];
  const rows = [openTaskFile(evalsPath, evalsText), ...apart].flatMap(
    (file) => atOnce(readEvals(file, { heldOut: false })).rows,
  );
  const whetstone = whetstoneText === undefined ? undefined : openTaskFile(whetstonePath, whetstoneText);
  const entries = whetstone === undefined ? [] : atOnce(readWhetstone(whetstone)).rows;
  const { joined } = joinTasks(withoutDuplicates(rows).rows, entries);
  const byId = new Map(joined.map((one) => [one.row.id, one]));
  return (task, name) => {
    const found = byId.get(task.id);
    const place = known.get(task.id);
    if (found === undefined && place !== undefined) return place; // an environment brought it
    if (found === undefined) throw new Error(`no entry for the task ${task.id}`);
    const { row, whetstone: entry } = found;
    const index = task.files.findIndex((file) => listFixtures({ files: [file] })[0] === name);
    return index === -1 && entry !== undefined && whetstone !== undefined
      ? whetstone.placeOf(nearestNode(entry.member.value, ['agent', 'fixture']))
      : row.file.placeOf(nearestNode(row.node, ['files', index]));
  };
}
