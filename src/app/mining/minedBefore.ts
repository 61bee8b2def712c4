import { harvestedDraftsOf } from '../../storage/harvest/harvestedDrafts.js';
import { makeTask, type TaskSource } from '../../tasks/makeTask.js';
import { sameTextKey } from '../../tasks/split/nearDuplicates.js';
import type { OpenSkill } from '../openSkill.js';
import { waitingDrafts } from '../tasks/waitingDrafts.js';
import { readSkillTasks } from '../tasks/skillTasks.js';

/** What was mined for a skill before: none of it is asked about, or drafted, again. */
export interface MinedBefore {
  /** Drafts out of sessions that wait for the person. */
  readonly waiting: number;
  /** Whether the session was mined for the skill, whatever came of it. */
  readonly isMined: (session: { readonly mark: string }) => boolean;
  /** Whether a task or a draft has these words, or one that was confirmed or turned down had them. */
  readonly isKnown: (task: TaskSource) => boolean;
}

export async function minedBefore(skill: OpenSkill): Promise<MinedBefore> {
  const drafts = harvestedDraftsOf(skill.store);
  const [marks, settled, all] = [await drafts.mined(), await drafts.settled(), await drafts.all()];
  const read = (await readSkillTasks(skill))?.read;
  const there = [...(read?.tasks ?? []), ...(read?.broken ?? []).map(({ task }) => task)];
  const known = new Set([...settled, ...[...there, ...all.map(({ task }) => makeTask(task))].map(sameTextKey)]);
  return {
    waiting: (await waitingDrafts(skill, there)).length,
    isMined: ({ mark }) => marks.has(mark),
    isKnown: (task) => known.has(sameTextKey(makeTask(task))),
  };
}
