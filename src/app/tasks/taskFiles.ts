import { withoutTask } from '../../tasks/taskProblem.js';
import { inspectTask } from '../../tasks/inspectTask.js';
import type { Task } from '../../tasks/task.js';
import { checkCatalog } from '../../checks/registry.js';
import path from 'node:path';
import * as z from 'zod';
import { undescribedChecks } from '../../checks/criteria.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { refuseLeaving, writeInside } from '../../storage/files/writeInside.js';
import { sweepLeftovers } from '../../storage/state/retention.js';
import { makeTask, type TaskSource } from '../../tasks/makeTask.js';
import { exportTasks } from '../../tasks/readers/exportTasks.js';
import type { ImportNote } from '../../tasks/readers/importedTasks.js';
import { assignByRatio, parseRatio } from '../../tasks/readers/ratio.js';
import { namedHeldOutFile } from '../../tasks/readers/readTasks.js';
import {
  putBackTask,
  takeOutTask,
  writeTasks,
  type RemovedTask,
  type TaskChange,
  type TaskTexts,
} from '../../tasks/writeTasks.js';
import type { OpenSkill } from '../openSkill.js';
import { readImport, type ImportSource } from './readImport.js';
import { sameTextKey } from '../../tasks/split/nearDuplicates.js';
import { readSkillTasks } from './skillTasks.js';
import { readTaskFile } from './taskTexts.js';

/** How many tasks came in, and everything of them that has no equal here. */
export interface ImportResult {
  readonly added: number;
  readonly notes: readonly ImportNote[];
}

/** Changes the task files of a skill as the person asked; everything else in them stays as it is. */
export async function changeTasks(skill: OpenSkill, change: TaskChange): Promise<void> {
  const before = await readTexts(skill);
  await writeTexts(skill, before, writeTasks(before, change, { skillName: skill.name }));
}

/** Takes a task out and gives what brings it back. */
export async function removeTask(skill: OpenSkill, id: string): Promise<RemovedTask> {
  const before = await readTexts(skill);
  const removed = takeOutTask(before, id, { skillName: skill.name });
  await writeTexts(skill, before, removed.after);
  return removed;
}

/** Brings back what was taken out. */
export async function restoreTask(skill: OpenSkill, removed: RemovedTask): Promise<void> {
  const now = await readTexts(skill);
  await writeTexts(skill, now, putBackTask(now, removed, { skillName: skill.name }));
}

/** Brings in tasks of another tool and reports everything that has no equal here. */
export async function importTasks(skill: OpenSkill, source: ImportSource): Promise<ImportResult> {
  const imported = await readImport(source);
  const placed = source.ratio === undefined ? imported : assignByRatio(imported.tasks, parseRatio(source.ratio));
  const existing = await readTexts(skill);
  const { fresh, known } = await partedByText(skill, placed.tasks);
  const { texts, notes } =
    fresh.length === 0 ? { texts: existing, notes: [] } : exportTasks(fresh, { skillName: skill.name, existing });
  await writeTexts(skill, existing, texts);
  const more = source.ratio === undefined ? [] : placed.notes;
  const named = asWritten(fresh, texts);
  const checked = [...unusable(named), ...notDescribed(named)];
  return { added: fresh.length, notes: [...imported.notes, ...more, ...known, ...notes, ...checked] };
}

/** The tasks under the ids that they got. */
function asWritten(tasks: readonly TaskSource[], { evalsText }: TaskTexts): readonly Task[] {
  const ids = tasks.length === 0 ? [] : lastIds(evalsText ?? '', tasks.length);
  return tasks.map((task, index) => makeTask({ ...task, id: ids[index] ?? task.id }));
}

/** A note on each imported task that counts for nothing until its checks are mended; none at all were told before. */
function unusable(tasks: readonly Task[]): readonly ImportNote[] {
  return tasks
    .filter(({ checks }) => checks.length > 0)
    .flatMap((task) =>
      inspectTask(task, checkCatalog)
        .filter(({ severity }) => severity === 'error')
        .map(({ path: place, message }) => ({
          kind: 'unusable' as const,
          taskId: task.id,
          field: place.join('.'),
          message: withoutTask(message, task.id),
        })),
    );
}

/** A note on each imported check that the optimizer would be told nothing about. */
function notDescribed(tasks: readonly Task[]): readonly ImportNote[] {
  return undescribedChecks(tasks).map(({ taskId, check }) => ({
    kind: 'not-described',
    taskId,
    field: check,
    message: 'The optimizer is not told what it demands. Say it in its field “criterion” in evals/whetstone.json.',
  }));
}

/** The imported tasks without those that are there already, and a note on each of these. */
async function partedByText(
  skill: OpenSkill,
  tasks: readonly TaskSource[],
): Promise<{ readonly fresh: readonly TaskSource[]; readonly known: readonly ImportNote[] }> {
  const read = (await readSkillTasks(skill))?.read;
  const there = [...(read?.tasks ?? []), ...(read?.broken ?? []).map(({ task }) => task)];
  const ids = new Map(there.map((task) => [sameTextKey(task), task.id]));
  const twinOf = (task: TaskSource): string | undefined => ids.get(sameTextKey(makeTask(task)));
  return {
    fresh: tasks.filter((task) => twinOf(task) === undefined),
    known: tasks.flatMap((task): readonly ImportNote[] => {
      const twin = twinOf(task);
      const message = `“${task.id}” was left out: the task “${twin ?? ''}” has the same words and files.`;
      return twin === undefined ? [] : [{ kind: 'known', taskId: task.id, field: 'prompt', message }];
    }),
  };
}

/** Adds drafted tasks, which count for nothing until a person confirms them, and gives the ids that they got. */
export async function addDrafts(skill: OpenSkill, drafts: readonly TaskSource[]): Promise<readonly string[]> {
  const existing = await readTexts(skill);
  const { texts } = exportTasks(
    drafts.map((task) => ({ ...task, draft: true })),
    { skillName: skill.name, existing },
  );
  await writeTexts(skill, existing, texts);
  return lastIds(texts.evalsText ?? '', drafts.length);
}

/** Adds one task that the person confirmed before it was in any file. */
export async function addConfirmed(skill: OpenSkill, task: TaskSource): Promise<void> {
  const existing = await readTexts(skill);
  const { texts } = exportTasks([task], { skillName: skill.name, existing });
  await writeTexts(skill, existing, texts);
}

/** Refuses tasks that lie behind a link out of the skill's folder, for whoever is about to spend on what would be written there. */
export async function refuseLinkedTasks(skill: OpenSkill): Promise<void> {
  await unlessMissing(refuseLeaving(skill.folder, path.dirname(filesOf(skill).evals)));
}

const Ids = z.object({ evals: z.array(z.looseObject({ id: z.union([z.string(), z.number()]) })) });

/** The tasks at the end of the file are the new ones; an id that was taken has a number now. */
function lastIds(evalsText: string, count: number): readonly string[] {
  const { evals } = Ids.parse(JSON.parse(evalsText.replace(/^\uFEFF/u, '')));
  return evals.slice(evals.length - count).map(({ id }) => String(id));
}

interface OpenTexts extends TaskTexts {
  /** Of the separate held-out file, where one is named. */
  readonly heldOutFile: string | undefined;
}

async function readTexts(skill: OpenSkill): Promise<OpenTexts> {
  const { evals, whetstone } = filesOf(skill);
  const whetstoneText = await readTaskFile(skill, whetstone);
  const named = whetstoneText === undefined ? undefined : namedHeldOutFile(whetstoneText, whetstone);
  const heldOutFile = named === undefined ? undefined : path.join(path.dirname(evals), named);
  return {
    evalsText: await readTaskFile(skill, evals),
    whetstoneText,
    heldOutText: heldOutFile === undefined ? undefined : await readTaskFile(skill, heldOutFile),
    heldOutFile,
  };
}

async function writeTexts(skill: OpenSkill, before: OpenTexts, after: TaskTexts): Promise<void> {
  const { evals, whetstone } = filesOf(skill);
  // Checks first: a task without its checks would be one that nothing can fail.
  await writeChanged(skill, whetstone, before.whetstoneText, after.whetstoneText);
  await writeChanged(skill, evals, before.evalsText, after.evalsText);
  if (before.heldOutFile !== undefined) {
    await writeChanged(skill, before.heldOutFile, before.heldOutText, after.heldOutText);
  }
}

const leftoverMs = 60_000; // whoever writes a file of tasks is done with it long before

async function writeChanged(
  { folder, store }: OpenSkill,
  file: string,
  before: string | undefined,
  after: string | undefined,
): Promise<void> {
  if (after === undefined || after === before) return;
  await writeInside(folder, file, after, before === undefined ? { mode: 0o644 } : {});
  await sweepLeftovers(path.dirname(file), store.clock.now() - leftoverMs);
}

function filesOf({ folder }: OpenSkill): { readonly evals: string; readonly whetstone: string } {
  return { evals: path.join(folder, 'evals', 'evals.json'), whetstone: path.join(folder, 'evals', 'whetstone.json') };
}
