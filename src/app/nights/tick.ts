import { isDue, type Decision } from '../../schedule/dueDecision.js';
import type { Blocker } from '../../schedule/preconditions.js';
import type { UserStore } from '../../storage/state/store.js';
import { runNight } from './night.js';
import type { NightLook, NightWatcher, ScheduledRequest } from './nightly.js';
import { assessNight } from './nightReadiness.js';
import { nightScheduleOf } from './nightSchedule.js';
import type { World } from '../world.js';

interface Parts {
  readonly world: World;
  readonly store: UserStore;
}

/** Looks at the clock as a window does once a minute. The facts are gathered only where a night is due. */
export async function tick(
  parts: Parts,
  request: ScheduledRequest,
  watcher: NightWatcher,
  signal: AbortSignal,
): Promise<NightLook> {
  const schedule = nightScheduleOf(parts.store, request.folders);
  const due = isDue(await schedule.state(), parts.world.clock.now(), request.schedule);
  const stops = due ? await stopsOf(parts, request, signal) : [];
  return act(parts, request, { decision: await schedule.decide(request.schedule, stops, signal), watcher }, signal);
}

/** Acts on the person's answer about a night that was slept through. What would stop a night stops this one too. */
export async function actOnAnswer(
  parts: Parts,
  request: ScheduledRequest & { readonly answer: 'run' | 'skip' },
  watcher: NightWatcher,
  signal: AbortSignal,
): Promise<NightLook> {
  const schedule = nightScheduleOf(parts.store, request.folders);
  const decision = await schedule.answer(request.schedule, request.answer, signal);
  return act(parts, request, { decision, watcher }, signal);
}

/** The machine's own schedule went off: runs the latest night unless a window or an earlier firing has dealt with it. */
export async function lookWhenFired(
  parts: Parts,
  request: ScheduledRequest,
  watcher: NightWatcher,
  signal: AbortSignal,
): Promise<NightLook> {
  const schedule = nightScheduleOf(parts.store, request.folders);
  const stops = await stopsOf(parts, request, signal);
  return act(parts, request, { decision: await schedule.fired(request.schedule, stops, signal), watcher }, signal);
}

async function stopsOf(
  { world, store }: Parts,
  request: ScheduledRequest,
  signal: AbortSignal,
): Promise<readonly Blocker[]> {
  return (await assessNight(world, store, request, signal)).stops;
}

async function act(
  parts: Parts,
  request: ScheduledRequest,
  { decision, watcher }: { readonly decision: Decision; readonly watcher: NightWatcher },
  signal: AbortSignal,
): Promise<NightLook> {
  if (decision.kind !== 'run') return { decision, result: undefined };
  return { decision, result: await runNight(parts, request, watcher, signal) };
}
