import { canonicalJson, sha256 } from '../../hash.js';
import { parseSkill } from '../../skill/document/skillDocument.js';
import { emptySessionsOf, type EmptySessions } from '../../storage/harvest/emptySessions.js';
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

/** The sessions that gave nothing for the skill as agents are told of it now. */
export function emptyFor({ store, name, text }: OpenSkill): EmptySessions {
  const description = parseSkill(text).frontMatter?.description ?? '';
  return emptySessionsOf(store, sha256(canonicalJson([name, description])));
}

/** Whether a night need not look at a session again for the skill: it was mined for it, or gave nothing. */
export async function isDoneFor(skill: OpenSkill): Promise<MinedBefore['isMined']> {
  const [mined, empty] = await Promise.all([harvestedDraftsOf(skill.store).mined(), emptyFor(skill).all()]);
  return ({ mark }) => mined.has(mark) || empty.has(mark);
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
