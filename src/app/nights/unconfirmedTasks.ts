import { placeOf } from '../../storage/state/nightPlace.js';
import type { UserStore } from '../../storage/state/store.js';
import type { HarvestedDraft } from '../../storage/harvest/harvestedDrafts.js';
import { unconfirmedTrainingOf } from '../../storage/harvest/unconfirmedTraining.js';
import { makeTask } from '../../tasks/makeTask.js';
import { trainableDrafts } from '../../tasks/split/trainableDrafts.js';
import type { Side, Task } from '../../tasks/task.js';
import type { OpenSkill } from '../openSkill.js';
import { paced } from '../paced.js';
import { waitingDrafts } from '../tasks/harvestedTasks.js';
import { learnedSessionTasks } from '../tasks/learnedSessions.js';
import type { SkillTasks } from '../tasks/skillTasks.js';
import type { NightRequest } from './nightSkills.js';

const mostTaken = 20; // of one skill a night: each is attempted, and each costs

/** Whether the person switched on that nights of these folders learn from drafts that they have not confirmed. */
export function learnsUnconfirmed(store: UserStore, request: PlacedRequest): Promise<boolean> {
  return unconfirmedTrainingOf(store, placeOf(foldersOf(request))).isOn();
}

type PlacedRequest = Pick<NightRequest, 'folders' | 'workspaceFolders'>;

/** The folders that a night is about. */
export function foldersOf({ folders, workspaceFolders }: PlacedRequest): readonly string[] {
  return folders ?? workspaceFolders;
}

/**
 * Adds drafts out of sessions to the training side, and to no other: only what a person confirmed proves anything. Never
 * one that speaks to those who work on it, nor one that an agent would work on files for. `expected`: drafts that are not
 * there yet.
 */
export async function withUnconfirmed(
  skill: OpenSkill,
  tasks: SkillTasks,
  expected: readonly HarvestedDraft[] = [],
): Promise<SkillTasks> {
  const { read, result } = tasks;
  const there = [...read.tasks, ...read.broken.map(({ task }) => task)];
  const waiting = [...(await waitingDrafts(skill, there)).map(({ draft }) => draft), ...expected];
  const drafts = waiting
    .filter(({ marks, task }) => marks.length === 0 && task.environment === 'chat')
    .map(({ task }) => makeTask({ ...task, draft: true }));
  const anchors = new Map<Task, Side>([
    ...result.sideOf,
    ...(await learnedSessionTasks(skill, there)).map((task): [Task, Side] => [task, 'training']),
  ]);
  const trainable = drafts.length === 0 ? [] : await paced(trainableDrafts(drafts, anchors));
  const taken = trainable.slice(-mostTaken); // the newest are last
  const training = [...result.split.training, ...taken.map((task) => ({ ...task, side: 'training' as const }))];
  return {
    ...tasks,
    result: { ...result, split: { ...result.split, training } },
    unconfirmed: { taken, older: trainable.slice(0, -mostTaken) },
  };
}

/** What a night says of them beside its outcome. */
export function unconfirmedNotes({ unconfirmed }: SkillTasks): readonly string[] {
  const count = unconfirmed?.taken.length ?? 0;
  if (count === 0) return [];
  return [
    count === 1
      ? 'It trains also on 1 task out of your sessions that you have not confirmed.'
      : `It trains also on ${count} tasks out of your sessions that you have not confirmed.`,
  ];
}
