import { placeOf } from '../../storage/state/nightPlace.js';
import type { UserStore } from '../../storage/state/store.js';
import { unconfirmedTrainingOf } from '../../storage/harvest/unconfirmedTraining.js';
import type { SkillTasks } from '../tasks/skillTasks.js';
import type { NightRequest } from './nightSkills.js';

/** Whether the person switched on that nights of these folders learn from drafts that they have not confirmed. */
export function learnsUnconfirmed(store: UserStore, request: PlacedRequest): Promise<boolean> {
  return unconfirmedTrainingOf(store, placeOf(foldersOf(request))).isOn();
}

type PlacedRequest = Pick<NightRequest, 'folders' | 'workspaceFolders'>;

/** The folders that a night is about. */
export function foldersOf({ folders, workspaceFolders }: PlacedRequest): readonly string[] {
  return folders ?? workspaceFolders;
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
