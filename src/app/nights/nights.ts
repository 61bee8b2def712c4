import { isProgramAllowed } from '../../storage/state/consents.js';
import {
  agree,
  settingsInForce,
  turnNights,
  type Agreement,
  type FoundSettings,
  type SettingsInForce,
} from './nightAgreement.js';
import { nightLog, type NightResult } from './nightResult.js';
import { planNight, type NightPlan } from './nightPlan.js';
import { nightScheduleOf, type NightSchedule } from './nightSchedule.js';
import { runNight, type NightWatcher } from './night.js';
import { userStore, type World } from '../world.js';
import { isDue, type Decision } from '../../schedule/dueDecision.js';
import type { Blocker } from '../../schedule/preconditions.js';
import { assessNight } from './nightReadiness.js';
import { looksThroughSessions } from './nightSessions.js';
import { allowedSources } from '../../storage/harvest/allowedSessions.js';
import { placeOf } from '../../storage/state/nightPlace.js';
import { unconfirmedTrainingOf } from '../../storage/harvest/unconfirmedTraining.js';
import type { ScheduleSettings } from '../../schedule/scheduleSettings.js';
import type { NightRequest } from './nightSkills.js';
import type { ScheduleState } from '../../schedule/scheduleState.js';

/** A night with the schedule that it belongs to. */
export interface ScheduledRequest extends NightRequest {
  readonly schedule: ScheduleSettings;
  readonly folders: readonly string[];
}

/** What was decided at one look at the clock. */
export interface NightLook {
  readonly decision: Decision;
  /** What the night did, where the decision was to run it. */
  readonly result: NightResult | undefined;
}

/** What runs by night: by a schedule, or because a person started one. */
export interface NightUseCases {
  /** A night over these skills: each is trained if it has confirmed tasks and something changed. */
  night(request: NightRequest, watcher: NightWatcher, signal: AbortSignal): Promise<NightResult>;
  /** What a night would train, leave out and cost. Spends nothing and writes nothing. */
  planNight(request: NightRequest, signal: AbortSignal): Promise<NightPlan>;
  /** One look at the wall clock: decides with no other process in between, and runs the night where it is due. */
  tick(request: ScheduledRequest, watcher: NightWatcher, signal: AbortSignal): Promise<NightLook>;
  /** The person's answer about a night that was slept through. */
  answerMissed(
    request: ScheduledRequest & { readonly answer: 'run' | 'skip' },
    watcher: NightWatcher,
    signal: AbortSignal,
  ): Promise<NightLook>;
  /** The operating system started a night: runs the latest unless somebody has dealt with it. */
  firedNight(request: ScheduledRequest, watcher: NightWatcher, signal: AbortSignal): Promise<NightLook>;
  /** What the schedule of these folders remembers. */
  scheduleState(folders: readonly string[]): Promise<ScheduleState | undefined>;
  /** The nights of these folders, whoever started them, newest first. */
  lastNights(folders: readonly string[]): Promise<readonly NightResult[]>;
  /** Writes down what the person agreed to for the nights of these folders. */
  agreeToNights(agreement: Agreement, signal: AbortSignal): Promise<void>;
  /** Turns the nights of these folders on or off, for this person alone. */
  turnNights(
    request: { readonly folders: readonly string[]; readonly on: boolean },
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Whether nights of these folders learn also from drafts out of sessions that the person has not confirmed; undefined
   * where that is off and no session may be read.
   */
  unconfirmedTraining(folders: readonly string[]): Promise<boolean | undefined>;
  /** Turns that on or off, for this person alone. */
  turnUnconfirmedTraining(
    request: { readonly folders: readonly string[]; readonly on: boolean },
    signal: AbortSignal,
  ): Promise<void>;
  /** Whether nights are on, what of a folder's settings counts for them, and what changed since the person agreed. */
  settingsInForce(found: FoundSettings, signal: AbortSignal): Promise<SettingsInForce>;
}

/** Wired to this user's state. */
export function createNightUseCases(given: World): NightUseCases {
  const world = unattended(given);
  const scheduleOf = async (folders: readonly string[], purpose?: 'look'): Promise<NightSchedule> =>
    nightScheduleOf(await userStore(world, purpose), folders);
  // What sessions may end is no reason not to begin: the night says at its end what it found.
  const stopsOf = async (request: NightRequest, signal: AbortSignal): Promise<readonly Blocker[]> => {
    const { stops } = await assessNight(world, request, signal);
    return (await looksThroughSessions(world, request, stops)) ? [] : stops;
  };
  const act = async (
    decision: Decision,
    ...night: readonly [ScheduledRequest, NightWatcher, AbortSignal]
  ): Promise<NightLook> => ({
    decision,
    result: decision.kind === 'run' ? await runNight(world, ...night) : undefined,
  });
  return {
    night: (request, watcher, signal) => runNight(world, request, watcher, signal),
    planNight: (request, signal) => planNight(world, request, signal),
    async tick(request, watcher, signal) {
      const schedule = await scheduleOf(request.folders);
      // A window looks once a minute: the facts are gathered only where a night is due.
      const due = isDue(await schedule.state(), world.clock.now(), request.schedule);
      const stops = due ? await stopsOf(request, signal) : [];
      return act(await schedule.decide(request.schedule, stops, signal), request, watcher, signal);
    },
    async answerMissed(request, watcher, signal) {
      const schedule = await scheduleOf(request.folders);
      return act(await schedule.answer(request.schedule, request.answer, signal), request, watcher, signal);
    },
    async firedNight(request, watcher, signal) {
      const schedule = await scheduleOf(request.folders);
      const stops = await stopsOf(request, signal);
      return act(await schedule.fired(request.schedule, stops, signal), request, watcher, signal);
    },
    scheduleState: async (folders) => (await scheduleOf(folders, 'look')).state(),
    lastNights: async (folders) => nightLog(await userStore(world, 'look'), folders).all(),
    agreeToNights: (agreement, signal) => agree(world, agreement, signal),
    turnNights: (request, signal) => turnNights(world, request, signal),
    async unconfirmedTraining(folders) {
      const store = await userStore(world, 'look');
      const isOn = await unconfirmedTrainingOf(store, placeOf(folders)).isOn();
      return isOn || (await allowedSources(store)).size > 0 ? isOn : undefined;
    },
    turnUnconfirmedTraining: async ({ folders, on }, signal) =>
      unconfirmedTrainingOf(await userStore(world), placeOf(folders)).turn(on, signal),
    settingsInForce: (found, signal) => settingsInForce(world, found, signal),
  };
}

/** At night only what was allowed by day runs. */
function unattended(world: World): World {
  if (world.interactive !== true) return world;
  const allows: World['consent']['allows'] = async (request) =>
    isProgramAllowed(await userStore(world, 'look'), request);
  return { ...world, consent: { allows } };
}
