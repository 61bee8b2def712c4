import * as z from 'zod';
import { answerMissed, decide, decideFired, type DecisionAndState, type Decision } from '../../schedule/dueDecision.js';
import type { Blocker } from '../../schedule/preconditions.js';
import type { ScheduleSettings } from '../../schedule/scheduleSettings.js';
import type { ScheduleState } from '../../schedule/scheduleState.js';
import { sha256 } from '../../hash.js';
import { readState, updateState, type SealedState } from '../../storage/files/sealedState.js';
import { placeOf } from '../../storage/state/nightPlace.js';
import type { UserStore } from '../../storage/state/store.js';

/** The schedule of one workspace: looked at by every window and by the command line, decided by one of them. */
export interface NightSchedule {
  state(): Promise<ScheduleState | undefined>;
  /** Decides on one look at the clock, with no other process in between; stored before it is acted on. */
  decide(settings: ScheduleSettings, stops: readonly Blocker[], signal: AbortSignal): Promise<Decision>;
  answer(settings: ScheduleSettings, answer: 'run' | 'skip', signal: AbortSignal): Promise<Decision>;
  /** The operating system's schedule went off. */
  fired(settings: ScheduleSettings, stops: readonly Blocker[], signal: AbortSignal): Promise<Decision>;
}

interface ScheduleFile {
  readonly state: ScheduleState;
}

const time = z.number();
const night = z.object({ key: z.string(), due: time });

/** A state as it is stored. What does not fit counts as just turned on, and so never runs at once. */
export const StoredScheduleState: z.ZodType<ScheduleState> = z
  .object({
    enabledAt: time.optional(),
    cron: z.string(),
    nextDue: time.optional(),
    lastRun: z.object({ key: z.string(), at: time, catchUp: z.boolean() }).optional(),
    lastDecision: night.extend({ at: time, kind: z.enum(['run', 'ask', 'skip']), sentence: z.string() }).optional(),
    missed: night.extend({ count: time }).optional(),
    settled: z.array(z.string()),
  })
  .transform((stored) => ({ ...notYet, ...stored }));

const notYet = {
  enabledAt: undefined,
  nextDue: undefined,
  lastRun: undefined,
  lastDecision: undefined,
  missed: undefined,
};

const schema = z.object({ state: StoredScheduleState });

/** Opens the schedule of some folders; nothing is read before it is asked. */
export function nightScheduleOf(store: UserStore, folders: readonly string[]): NightSchedule {
  const file: SealedState<ScheduleFile> = {
    format: { format: 'whetstone-schedule', version: 1, schema },
    file: `schedules/${sha256(placeOf(folders)).slice(0, 32)}.json`,
  };
  const change = async (
    step: (before: ScheduleState | undefined) => DecisionAndState,
    signal: AbortSignal,
  ): Promise<Decision> => {
    let decision: Decision = { kind: 'off' };
    await updateState(
      store,
      file,
      (before) => {
        const decided = step(before?.state);
        decision = decided.decision;
        return { state: decided.state };
      },
      signal,
    );
    return decision;
  };
  const now = (): number => store.clock.now();
  return {
    async state() {
      const reading = await readState(store, file);
      return reading.kind === 'verified' ? reading.body.state : undefined;
    },
    decide: (settings, stops, signal) => change((before) => decide(before, now(), settings, stops), signal),
    answer: (settings, answer, signal) =>
      change((before) => {
        if (before === undefined) return decide(before, now(), settings, []);
        return answerMissed(before, now(), settings, answer);
      }, signal),
    fired: (settings, stops, signal) => change((before) => decideFired(before, now(), settings, stops), signal),
  };
}
