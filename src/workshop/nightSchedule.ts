import * as z from 'zod';
import { answerMissed, decide, type Decision } from '../schedule/dueDecision.js';
import type { Stop } from '../schedule/preconditions.js';
import type { ScheduleSettings } from '../schedule/scheduleSettings.js';
import { parseScheduleState, type ScheduleState } from '../schedule/scheduleState.js';
import { hashOf } from '../storage/hash.js';
import { readRecord, updateRecord, type SealedRecord } from '../storage/sealedRecord.js';
import type { UserStore } from '../storage/store.js';

/** The schedule of one workspace: looked at by every window, decided by one of them. */
export interface NightSchedule {
  state(): Promise<ScheduleState | undefined>;
  /** Decides on one look at the clock, with no other process in between; stored before it is acted on. */
  decide(settings: ScheduleSettings, stops: readonly Stop[], signal: AbortSignal): Promise<Decision>;
  answer(settings: ScheduleSettings, answer: 'run' | 'skip', signal: AbortSignal): Promise<Decision>;
}

interface Stored {
  readonly state: ScheduleState;
}

const schema = z.object({ state: z.unknown() }).transform((body, context): Stored => {
  const state = parseScheduleState(body.state);
  if (state !== undefined) return { state };
  context.addIssue('not a schedule');
  return z.NEVER;
});

/** `place` names the workspace: its folders, sorted. */
export function nightScheduleOf(store: UserStore, place: string): NightSchedule {
  const record: SealedRecord<Stored> = {
    format: { format: 'whetstone-schedule', version: 1, schema },
    file: `schedules/${hashOf(place).slice(0, 32)}.json`,
  };
  const change = async (
    step: (before: ScheduleState | undefined) => { readonly decision: Decision; readonly state: ScheduleState },
    signal: AbortSignal,
  ): Promise<Decision> => {
    let decision: Decision = { kind: 'off' };
    await updateRecord(
      store,
      record,
      (before) => {
        const decided = step(before?.state);
        decision = decided.decision;
        return { state: decided.state };
      },
      signal,
    );
    return decision;
  };
  return {
    async state() {
      const reading = await readRecord(store, record);
      return reading.kind === 'verified' ? reading.body.state : undefined;
    },
    decide: (settings, stops, signal) => change((before) => decide(before, store.clock.now(), settings, stops), signal),
    answer: (settings, answer, signal) =>
      change((before) => {
        if (before === undefined) return decide(before, store.clock.now(), settings, []);
        return answerMissed(before, store.clock.now(), settings, answer);
      }, signal),
  };
}
