import type { World } from '../world.js';
import { nothingTaken, type NightUse } from './nightLimits.js';
import { assessNight, soundSkills, type NightAssessment } from './nightReadiness.js';
import type { NightResult } from './nightResult.js';
import { draftsWaiting, looksThroughSessions, sessionsOfNight } from './nightSessions.js';
import type { NightRequest } from './nightSkills.js';

interface PreparedNight {
  readonly assessment: NightAssessment;
  readonly sessions: NightResult['sessions'];
  /** What looking through sessions took. */
  readonly taken: NightUse;
}

/** Weighs the night, looks through sessions where it may, and weighs it once more where they gave something to learn from. */
export async function preparedNight(world: World, request: NightRequest, signal: AbortSignal): Promise<PreparedNight> {
  const assessment = await assessNight(world, request, signal);
  if (!(await looksThroughSessions(world, request, assessment.stops)))
    return { assessment, sessions: undefined, taken: nothingTaken };
  const began = world.clock.now();
  const looked = await sessionsOfNight(world, request, assessment, signal);
  const taken = { ...looked.spend, minutes: (world.clock.now() - began) / 60_000 };
  const sessions = { ...looked, ...(await draftsWaiting(world, request, soundSkills(assessment))) };
  return { assessment: looked.drafts === 0 ? assessment : await assessNight(world, request, signal), sessions, taken };
}
