import type { HarvestedDraft } from '../../storage/harvest/harvestedDrafts.js';
import type { PastTask } from '../../storage/state/taskArchive.js';
import { makeTask } from '../../tasks/makeTask.js';
import { trainableDrafts } from '../../tasks/split/trainableDrafts.js';
import type { Side, Task } from '../../tasks/task.js';
import type { OpenSkill } from '../openSkill.js';
import { paced } from '../paced.js';
import { waitingDrafts } from './waitingDrafts.js';
import { learnableBy, learnedSessionTasks } from './learnedSessions.js';
import type { SkillTasks } from './skillTasks.js';

const mostTaken = 20; // of one skill a night: each is attempted, and each costs

/**
 * Adds drafts out of sessions to the training side, and to no other: only what a person confirmed proves anything. Never
 * one that speaks to those who work on it, nor one that an agent would work on files for, nor one with a criterion that a
 * model put in words of its own. `expected`: drafts that are not there yet.
 */
export async function withUnconfirmed(
  skill: OpenSkill,
  tasks: SkillTasks,
  expected: readonly HarvestedDraft[] = [],
): Promise<SkillTasks> {
  const { read, result } = tasks;
  const there = [...read.tasks, ...read.broken.map(({ task }) => task)];
  const waiting = [...(await waitingDrafts(skill, there)).map(({ draft }) => draft), ...expected];
  const drafts = waiting.flatMap((draft): readonly PastTask[] => {
    const from = learnableBy(draft);
    return from === undefined ? [] : [{ ...makeTask({ ...draft.task, draft: true }), from }];
  });
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
