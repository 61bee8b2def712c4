import { printCron } from './cronExpression.js';
import { countNights, latestNight, nextNight, type Night } from './nextDue.js';
import type { Blocker } from './preconditions.js';
import type { ScheduleSettings } from './scheduleSettings.js';
import { keptNights, mostMissed, type MissedNight, type ScheduleState } from './scheduleState.js';
import { describeTime } from '../wording/describeTime.js';
import { english as say } from '../wording/translate.js';

/** What to do now. `sentence` is what the person reads about it. */
export type Decision =
  | { readonly kind: 'off' }
  | { readonly kind: 'wait'; readonly until: number | undefined; readonly missed: MissedNight | undefined }
  | { readonly kind: 'run'; readonly night: Night; readonly catchUp: boolean; readonly sentence: string }
  | { readonly kind: 'ask'; readonly missed: MissedNight; readonly sentence: string }
  | { readonly kind: 'skip'; readonly night: Night; readonly sentence: string; readonly cure: string };

/** A decision that deals with a night once and for all. */
type Settlement = Extract<Decision, { readonly kind: 'run' | 'ask' | 'skip' }>;

export interface DecisionAndState {
  readonly decision: Decision;
  /** To be stored before the decision is acted on: then a crash costs a night, never a second run of it. */
  readonly state: ScheduleState;
}

/** How often to look at the clock. One long timer would stand still while the machine sleeps. */
export const pollMs = 60_000;

/** A timer may go off a little early; looking again at once would only spin. */
const leastLookMs = 250;

/** How long to wait for the next look, so that a night starts at its time and a changed clock is noticed in a minute. */
export function lookInMs(now: number, next: number | undefined): number {
  return next === undefined ? pollMs : Math.min(pollMs, Math.max(leastLookMs, next - now));
}

/** A night that starts this late still counts as on time: a slow wake-up is not a missed night. */
export const onTimeMs = 10 * 60_000;

/** Whether {@link decide} would look at the stops now; gathering them costs reads that a waiting poll can spare. */
export function isDue(state: ScheduleState | undefined, now: number, settings: ScheduleSettings): boolean {
  return settings.enabled && isWaitingFor(state, settings) && state.nextDue !== undefined && now >= state.nextDue;
}

/**
 * Decides on one look at the wall clock. Whatever the clock does, a night is run, asked about or skipped at most once;
 * of several missed nights only the last is made up for; turning on or choosing another time never runs at once.
 */
export function decide(
  state: ScheduleState | undefined,
  now: number,
  settings: ScheduleSettings,
  stops: readonly Blocker[],
): DecisionAndState {
  if (!settings.enabled) return { decision: { kind: 'off' }, state: turnedOff(state, settings) };
  if (!isWaitingFor(state, settings)) return waiting(turnedOn(state, now, settings), now, settings);
  if (state.nextDue === undefined || now < state.nextDue) return waiting(state, now, settings);
  const night = latestNight(settings, now);
  // Carried west, the machine may find that its next night is not due yet where it is now.
  if (night === undefined || night.due < state.nextDue || state.settled.includes(night.key))
    return waiting(state, now, settings);
  const missed = { ...night, count: countNights(settings, state.nextDue, night.due, mostMissed) };
  return settle(state, now, settings, decideOn(missed, now, settings, stops));
}

/**
 * The person's answer about the missed night. A second answer, or one that comes after the next night was dealt with,
 * finds nothing to run.
 */
export function answerMissed(
  state: ScheduleState,
  now: number,
  settings: ScheduleSettings,
  answer: 'run' | 'skip',
): DecisionAndState {
  const { missed } = state;
  if (missed === undefined || !settings.enabled) return waiting({ ...state, missed: undefined }, now, settings);
  const when = timeText(missed.due, now, settings);
  const decision: Settlement =
    answer === 'run'
      ? { kind: 'run', night: nightOf(missed), catchUp: true, sentence: `Making up for the night missed ${when}.` }
      : { kind: 'skip', night: nightOf(missed), sentence: `Missed ${when}, skipped as you chose.`, cure: '' };
  return settle(state, now, settings, decision);
}

/**
 * The operating system's schedule fired: runs the latest night unless it was dealt with. Nobody is there to be asked,
 * and a late firing was the system's own choice. `settings` are those the entry was installed with.
 */
export function decideFired(
  state: ScheduleState | undefined,
  now: number,
  settings: ScheduleSettings,
  stops: readonly Blocker[],
): DecisionAndState {
  const from = state ?? turnedOff(undefined, settings);
  const night = latestNight(settings, now);
  if (night === undefined || from.settled.includes(night.key))
    return { decision: { kind: 'wait', until: from.nextDue, missed: from.missed }, state: from };
  const { decision, state: after } = settle(
    from,
    now,
    settings,
    stopped(night, now, settings, stops) ?? runs(night, now, settings),
  );
  // The entry may have another time than the editor's schedule, whose next night stays what it was.
  return { decision, state: { ...after, nextDue: from.nextDue } };
}

function decideOn(missed: MissedNight, now: number, settings: ScheduleSettings, stops: readonly Blocker[]): Settlement {
  const night = nightOf(missed);
  const stop = stopped(night, now, settings, stops);
  if (stop !== undefined) return stop;
  if (now - night.due <= onTimeMs || settings.catchUp === 'run') return runs(night, now, settings);
  const when = timeText(night.due, now, settings);
  const nights = nightsText(missed.count);
  return settings.catchUp === 'ask'
    ? { kind: 'ask', missed, sentence: `${nights} due ${when} did not run. Run it now?` }
    : {
        kind: 'skip',
        night,
        sentence: `${nights} due ${when} did not run, because the machine was asleep or VS Code closed.`,
        cure: 'Set catchUp to “ask” or “run” to make up for missed nights.',
      };
}

function runs(night: Night, now: number, settings: ScheduleSettings): Settlement {
  const catchUp = now - night.due > onTimeMs;
  const when = timeText(night.due, now, settings);
  const sentence = catchUp ? `Making up for the night missed ${when}.` : `The night due ${when} starts.`;
  return { kind: 'run', night, catchUp, sentence };
}

function stopped(
  night: Night,
  now: number,
  settings: ScheduleSettings,
  stops: readonly Blocker[],
): Settlement | undefined {
  const [first] = stops;
  if (first === undefined) return undefined;
  const when = timeText(night.due, now, settings);
  return { kind: 'skip', night, sentence: `The night due ${when} did not run. ${first.sentence}`, cure: first.cure };
}

/** Marks the night as dealt with and looks ahead to the next. */
function settle(state: ScheduleState, now: number, settings: ScheduleSettings, decision: Settlement): DecisionAndState {
  const night = decision.kind === 'ask' ? nightOf(decision.missed) : decision.night;
  const settled = [...state.settled.filter((key) => key !== night.key), night.key].slice(-keptNights);
  return {
    decision,
    state: {
      ...state,
      settled,
      nextDue: nextNight(settings, now, settled)?.due,
      lastRun: decision.kind === 'run' ? { key: night.key, at: now, catchUp: decision.catchUp } : state.lastRun,
      lastDecision: { ...night, at: now, kind: decision.kind, sentence: decision.sentence },
      missed: decision.kind === 'ask' ? decision.missed : undefined,
    },
  };
}

/** Reckoned afresh at every look: the clock may have been set back, or the machine carried to another zone. */
function waiting(state: ScheduleState, now: number, settings: ScheduleSettings): DecisionAndState {
  const nextDue = nextNight(settings, now, state.settled)?.due;
  return { decision: { kind: 'wait', until: nextDue, missed: state.missed }, state: { ...state, nextDue } };
}

function isWaitingFor(state: ScheduleState | undefined, settings: ScheduleSettings): state is ScheduleState {
  return state?.enabledAt !== undefined && state.cron === printCron(settings.cron);
}

function turnedOn(state: ScheduleState | undefined, now: number, settings: ScheduleSettings): ScheduleState {
  return { ...turnedOff(state, settings), enabledAt: now };
}

function turnedOff(state: ScheduleState | undefined, settings: ScheduleSettings): ScheduleState {
  return {
    enabledAt: undefined,
    cron: printCron(settings.cron),
    nextDue: undefined,
    lastRun: state?.lastRun,
    lastDecision: state?.lastDecision,
    missed: undefined,
    settled: state?.settled ?? [],
  };
}

function nightOf({ key, due }: Night): Night {
  return { key, due };
}

/** Decisions are stored, so their sentences are English; what shows one retells it. */
function timeText(at: number, now: number, { timezone }: ScheduleSettings): string {
  return describeTime(at, { now, timezone }, say);
}

function nightsText(count: number): string {
  if (count === 1) return say('The night');
  return count === mostMissed ? say('{0} or more nights up to the one', count) : say('{0} nights up to the one', count);
}

/** When the night was due that a decision leaves to the person; undefined where it leaves them none. */
export function missedIn(decision: Decision): number | undefined {
  if (decision.kind === 'ask') return decision.missed.due;
  return decision.kind === 'wait' ? decision.missed?.due : undefined;
}
