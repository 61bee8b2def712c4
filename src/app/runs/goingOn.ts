import { unconfirmedPlaces } from '../../storage/harvest/unconfirmedTraining.js';
import { withUnconfirmed } from '../tasks/withUnconfirmed.js';
import { earlierOf, tasksHash } from './runInputs.js';
import type { BegunRun } from './runJournal.js';
import type { RunStart } from './runStart.js';

/** With the options, the purpose and the text of an earlier night that it was begun with. */
export async function goingOn(start: RunStart, resume: BegunRun): Promise<RunStart> {
  const { options, ownCaps = {}, purpose } = resume.started;
  const tasks = purpose === 'night' ? await tasksOfNight(start, resume) : start.tasks;
  return { ...start, tasks, options, ownCaps, purpose, earlier: await earlierOf(start.skill, resume) };
}

/** With the drafts that nobody has confirmed, where it began with them and nights may still learn from such. */
async function tasksOfNight({ skill, tasks }: RunStart, { started }: BegunRun): Promise<RunStart['tasks']> {
  if ((await unconfirmedPlaces(skill.store)) === 0) return tasks;
  const more = await withUnconfirmed(skill, tasks);
  return tasksHash(more.result.split) === started.inputs.tasks ? more : tasks;
}
