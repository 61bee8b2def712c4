import path from 'node:path';
import { UserError } from '../../errors.js';
import { memberOf } from '../../tasks/json/jsonTree.js';
import { namedHeldOutFile, type TaskFiles } from '../../tasks/readers/readTasks.js';
import { readWhetstone } from '../../tasks/readers/readWhetstone.js';
import { bringersOf } from '../../tasks/readers/whetstoneFile.js';
import { atOnce } from '../../tasks/steps.js';
import { openTaskFile, TasksMalformedError } from '../../tasks/taskFile.js';
import type { TaskPlace } from '../../tasks/taskProblem.js';
import type { OpenSkill } from '../openSkill.js';
import { readTextInside } from '../readText.js';

/**
 * The texts of a skill's task files. Where there is no evals.json they are none, unless an environment is declared that
 * brings its tasks: then there are no others.
 */
export async function readTaskTexts(skill: OpenSkill): Promise<TaskFiles | undefined> {
  const { folder } = skill;
  const read = (file: string): Promise<string | undefined> => readTaskFile(skill, file);
  const evalsPath = path.join(folder, 'evals', 'evals.json');
  const whetstonePath = path.join(folder, 'evals', 'whetstone.json');
  const stated = await read(evalsPath);
  const whetstoneText = await read(whetstonePath);
  const evalsText = stated ?? (declaresItems(whetstonePath, whetstoneText) ? JSON.stringify({ evals: [] }) : undefined);
  if (evalsText === undefined) return undefined;
  const named = whetstoneText === undefined ? undefined : namedHeldOutFile(whetstoneText, whetstonePath);
  if (named === undefined) return { evalsText, evalsPath, whetstoneText, whetstonePath };
  const heldOutPath = path.join(folder, 'evals', named);
  const heldOutText = await read(heldOutPath);
  if (heldOutText === undefined) {
    throw new UserError(
      'tasks-missing',
      `The held-out file ${named} that evals/whetstone.json names is missing.`,
      'Put it beside evals.json, or take “heldOutFile” out.',
    );
  }
  return { evalsText, evalsPath, whetstoneText, whetstonePath, heldOutText, heldOutPath };
}

/** A file of tasks, or undefined where there is none. A link may lead to one that skills of the workspace share, and not out of it. */
export async function readTaskFile({ places, folder }: OpenSkill, file: string): Promise<string | undefined> {
  return readTextInside(places.root ?? folder, file, 'tasks-malformed', mostTaskBytes);
}

/** Read at one go; ten thousand tasks are a sixth of it. */
export const mostTaskBytes = 24 * 1024 * 1024;

/** Throws at the first mistake in a declaration: an environment that cannot be read may be the one that brings them. */
function declaresItems(file: string, text: string | undefined): boolean {
  if (text === undefined) return false;
  const { environments, problems } = atOnce(readWhetstone(openTaskFile(file, text)));
  const wrong = problems.find(({ severity, taskId }) => severity === 'error' && taskId === undefined);
  if (wrong !== undefined) throw new TasksMalformedError(wrong.message, wrong.place);
  return bringersOf(environments, 'items').length > 0;
}

/** Where an environment is declared: what is wrong with a task that it brings is said there. */
export function placeOfDeclaration({ whetstonePath, whetstoneText = '{}' }: TaskFiles): (name: string) => TaskPlace {
  const file = openTaskFile(whetstonePath, whetstoneText);
  const declared = memberOf(file.root, 'environments')?.value ?? file.root;
  return (name) => {
    const found = memberOf(declared, name);
    return file.placeOf(found === undefined ? file.root : { start: found.start, end: found.start + name.length + 2 });
  };
}
