import { openUserStore, type UserStore } from '../../storage/state/store.js';
import { makeUserState } from '../../storage/state/userState.js';
import { giveModelConsent } from './nightConsent.js';
import { actOnAnswer, tick, lookWhenFired } from './tick.js';
import { nightLog } from './nightLog.js';
import type { NightMethods } from './nightly.js';
import { planNight } from './nightPlan.js';
import { nightScheduleOf } from './nightSchedule.js';
import { runNight } from './night.js';
import { modelNames } from '../models/runModels.js';
import type { World } from '../world.js';

/** The nightly methods, wired to this user's state. */
export function nightlyMethods(world: World): NightMethods {
  const store = async (): Promise<UserStore> => openUserStore(await makeUserState(world), world.clock);
  const parts = async () => ({ world, store: await store() });
  return {
    night: async (request, watcher, signal) => runNight(await parts(), request, watcher, signal),
    planNight: async (request, signal) => planNight(world, await store(), request, signal),
    tick: async (request, watcher, signal) => tick(await parts(), request, watcher, signal),
    answerMissed: async (request, watcher, signal) => actOnAnswer(await parts(), request, watcher, signal),
    firedNight: async (request, watcher, signal) => lookWhenFired(await parts(), request, watcher, signal),
    scheduleState: async (folders) => nightScheduleOf(await store(), folders).state(),
    lastNights: async (folders) => nightLog(await store(), folders).all(),
    allowModels: async (folders, signal) =>
      giveModelConsent(await store(), folders, modelNames(await world.models(signal)), signal),
  };
}
