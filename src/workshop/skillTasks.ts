import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { checkCatalog } from '../checks/registry.js';
import { UserError } from '../errors.js';
import { namedHeldOutFile, readTasks, type ReadTasks } from '../tasks/readTasks.js';
import { printSplitFile, readSplitFile } from '../tasks/splitFile.js';
import { splitTasks, type SplitResult } from '../tasks/splitTasks.js';
import type { Task } from '../tasks/task.js';
import { hasCode } from '../storage/fileErrors.js';
import { readSplit, writeSplit } from '../storage/splitStore.js';
import type { OpenSkill } from './openSkill.js';

/** The tasks of a skill, each on its side. */
export interface SkillTasks {
  readonly read: ReadTasks;
  readonly result: SplitResult;
  readonly evalsPath: string;
  /** Drafts, disabled or set-aside tasks that the person wants to try all the same; they count for nothing. */
  readonly tried?: readonly Task[] | undefined;
}

/** Reads the tasks beside a skill and splits them; undefined where there is no evals file. Writes nothing. */
export async function readSkillTasks(skill: OpenSkill): Promise<SkillTasks | undefined> {
  const evalsPath = path.join(skill.folder, 'evals', 'evals.json');
  const whetstonePath = path.join(skill.folder, 'evals', 'whetstone.json');
  const evalsText = await readText(evalsPath);
  if (evalsText === undefined) return undefined;
  const whetstoneText = await readText(whetstonePath);
  const heldOut = await readHeldOut(skill, whetstoneText, whetstonePath);
  const read = readTasks({ evalsText, evalsPath, whetstoneText, whetstonePath, ...heldOut }, checkCatalog);
  return { read, result: splitTasks(read.tasks, await remembered(skill)), evalsPath };
}

/** The tasks for a run: there must be some, and the split is written down, so that nobody changes sides later. */
export async function tasksForRun(skill: OpenSkill): Promise<SkillTasks> {
  const tasks = await readSkillTasks(skill);
  const cure = 'Run “Whetstone: Draft Tasks for This Skill”, or write evals/evals.json by hand.';
  if (tasks === undefined)
    throw new UserError('tasks-missing', `${skill.name} has no tasks: there is no evals/evals.json beside it.`, cure);
  const { training, heldOut, sealed } = tasks.result.split;
  if (training.length + heldOut.length + sealed.length === 0) {
    const broken = tasks.read.broken[0]?.reason;
    throw new UserError(
      'tasks-missing',
      broken ?? `${skill.name} has no confirmed task that can be attempted.`,
      broken === undefined ? cure : 'Correct evals/whetstone.json and run again.',
    );
  }
  if (training.length === 0 || heldOut.length + training.length < 2) {
    throw new UserError(
      'tasks-too-few',
      `${skill.name} has too few tasks to learn from: ${training.length} on the training side, ${heldOut.length} held out.`,
      'Write at least seven tasks: two to learn from and five to prove it on.',
    );
  }
  await rememberSplit(skill, tasks);
  return tasks;
}

async function rememberSplit({ places }: OpenSkill, { result }: SkillTasks): Promise<void> {
  const memories = new Map(readSplitFile(await readSplit(places), 'split.json'));
  memories.set(places.documentPath, result.memory);
  await writeSplit(places, printSplitFile(memories));
}

async function remembered({ places }: OpenSkill): Promise<SplitResult['memory']> {
  const memories = readSplitFile(await readSplit(places), 'split.json');
  return memories.get(places.documentPath) ?? new Map();
}

async function readHeldOut(
  skill: OpenSkill,
  whetstoneText: string | undefined,
  whetstonePath: string,
): Promise<{ readonly heldOutText?: string; readonly heldOutPath?: string }> {
  const named = whetstoneText === undefined ? undefined : namedHeldOutFile(whetstoneText, whetstonePath);
  if (named === undefined) return {};
  const heldOutPath = path.resolve(skill.folder, 'evals', named);
  const heldOutText = await readText(heldOutPath);
  if (heldOutText === undefined) {
    throw new UserError(
      'tasks-missing',
      `The held-out file ${named} that evals/whetstone.json names is missing.`,
      'Put it beside evals.json, or take “heldOutFile” out.',
    );
  }
  return { heldOutText, heldOutPath };
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
